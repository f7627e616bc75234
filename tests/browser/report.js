// report.js - opens a report of leno compare in a headless Chromium and uses it as a user would.
// usage: node report.js PLAYWRIGHT CHROMIUM REPORT.html FOLDER   (screenshots go to FOLDER)
"use strict";
const [, , library, executablePath, report, folder] = process.argv;
const { chromium } = require(library);
const path = require("path"), assert = require("assert");
const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
(async () => {
  const context = await chromium.launchPersistentContext(path.join(folder, "report-profile"),
    { executablePath, args, viewport: { width: 1300, height: 900 } });
  const page = await context.newPage(), problems = [];
  page.on("console", m => { if (m.type() === "error") problems.push(m.text()); });
  page.on("pageerror", e => problems.push(String(e)));
  page.on("request", r => { if (!/^(file|about):/.test(r.url())) problems.push("loads " + r.url()); });
  const shot = name => page.screenshot({ path: path.join(folder, name + ".png"), fullPage: true });
  await page.goto("file://" + path.resolve(report));
  await page.waitForTimeout(300);
  // Sorting: numbers by size, names by letter; sums stay last.
  const column = async (table, n) => page.evaluate(([t, k]) =>
    [...document.querySelectorAll("table.sort")[t].rows].slice(1).map(r => r.cells[k].textContent), [table, n]);
  await page.click("table.sort >> nth=1 >> th:nth-child(3)");
  const down = (await column(1, 2)).map(Number);
  assert.deepStrictEqual(down, [...down].sort((a, b) => b - a), "cycles, largest first");
  await page.click("table.sort >> nth=1 >> th:nth-child(3)");
  assert.deepStrictEqual((await column(1, 2)).map(Number), [...down].reverse(), "again: smallest first");
  await page.click("table.sort >> nth=0 >> th:nth-child(1)");
  const names = await column(0, 0), programs = names.slice(0, -3);
  assert.deepStrictEqual(programs, [...programs].sort(), "programs by name");
  assert.strictEqual(names[names.length - 3], "geometric mean", "sums stay last");
  // Idle slots can be hidden.
  const shown = async s => page.isVisible(s);
  assert(await shown(".with") && !await shown(".without"));
  await page.click("#idle");
  assert(!await shown(".with") && await shown(".without"), "without idle slots");
  const causes = await page.$$eval(".key", keys => keys.map(k => k.querySelectorAll("span").length));
  assert(causes.every(n => n <= 11), "at most eight causes, issued, others and idle");
  // Over time: lines, and slots as stacks.
  const drawn = () => page.$$eval("#series-chart path", all => all.map(p => p.getAttribute("d").length));
  const n = await page.$$eval("#hot-one option", all => all.length);
  assert((await drawn()).length === n && (await drawn()).every(d => d > 40), "a line per scheme");
  const first = await page.innerHTML("#series-chart");
  await page.selectOption("#series-what", "2");
  assert(await page.innerHTML("#series-chart") !== first, "another quantity");
  await page.selectOption("#series-what", "6");
  assert((await page.$$("#series-chart rect")).length > 20, "slots as stacks");
  await page.selectOption("#series-program", "1");
  // Counters per instruction, of one scheme and of two.
  const frame = () => page.frames().find(f => f.parentFrame());
  await page.waitForTimeout(300);
  assert((await frame().$$("#body tr")).length > 10, "rows of instructions");
  assert(/slots saved/.test(await frame().textContent("#head")), "two schemes");
  await page.selectOption("#hot-other", ""); await page.waitForTimeout(300);
  assert(!/slots saved/.test(await frame().textContent("#head")), "one scheme");
  await page.selectOption("#hot-other", "1"); await page.waitForTimeout(300);
  await shot("report");
  await page.emulateMedia({ colorScheme: "dark" }); await shot("report-dark");
  // Narrow: nothing but charts and tables, which scroll by themselves, is wider than the screen.
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  await shot("report-narrow");
  const lines = await page.evaluate(() => [...document.querySelectorAll("code span")].map(e => e.getClientRects().length));
  assert(lines.length > 4 && lines.every(n => n === 1), "words of the command stay whole");
  const letters = await page.evaluate(() => { const t = document.querySelector("#series-chart text").getBoundingClientRect(); return t.height; });
  assert(letters > 10, "letters of the chart are " + letters + " high");
  assert(wide <= 390, "the page is " + wide + " wide");
  await context.close();
  assert.deepStrictEqual(problems, [], "console errors or requests");
})().catch(e => { console.error(e.message || e); process.exit(1); });
