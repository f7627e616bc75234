// view.js - opens pages that leno wrote in a headless Chromium and uses them as a user would.
// usage: node view.js PLAYWRIGHT CHROMIUM VIEW.html HOT.html LARGE.html FOLDER
// LARGE.html is a view of over 20,000 instructions per scheme; screenshots go to FOLDER.
"use strict";
const [, , library, executablePath, view, hot, large, folder] = process.argv;
const { chromium } = require(library);
const path = require("path"), assert = require("assert");
const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
(async () => {
  const context = await chromium.launchPersistentContext(path.join(folder, "profile"),
    { executablePath, args, viewport: { width: 1400, height: 860 } });
  const page = await context.newPage(), problems = [];
  page.on("console", m => { if (m.type() === "error") problems.push(m.text()); });
  page.on("pageerror", e => problems.push(String(e)));
  page.on("request", r => { if (!r.url().startsWith("file:")) problems.push("loads " + r.url()); });
  const state = () => page.evaluate(() => window.leno.state());
  const shot = name => page.screenshot({ path: path.join(folder, name + ".png") });
  // How many colours the canvas has: a picture, not an empty sheet.
  const colors = () => page.evaluate(() => { const c = document.querySelector("canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, s = new Set();
    for (let i = 0; i < d.length; i += 64) s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return s.size; });
  await page.goto("file://" + path.resolve(view));
  await page.waitForTimeout(300);
  assert((await page.$$("canvas")).length === 2, "two schemes, two panes");
  assert(/^hotspot, launch 1, block 0 /.test(await page.textContent("#about")), "which kernel");
  const a = await state();
  assert(a.rows > 100, "rows: " + a.rows);
  assert(await colors() > 20, "the canvas is empty");
  await shot("view");
  await page.keyboard.press("t"); await page.waitForTimeout(100);
  assert((await state()).dark !== a.dark, "t: light or dark");
  await shot("view-dark");
  await page.keyboard.press("t");
  await page.mouse.move(900, 300); await page.keyboard.down("Control"); await page.mouse.wheel(0, -100); await page.keyboard.up("Control");
  await page.waitForTimeout(100);
  assert((await state()).cell > a.cell, "Ctrl and wheel zoom in");
  await page.keyboard.press("-"); await page.keyboard.press("-"); await page.waitForTimeout(50);
  assert((await state()).cell < a.cell, "- zooms out");
  await page.mouse.wheel(0, 400); await page.waitForTimeout(50);
  const b = await state();
  assert(b.y0 > a.y0 && b.x0 > a.x0, "the wheel goes along the instructions");
  await page.mouse.move(900, 300); await page.mouse.down(); await page.mouse.move(800, 260, { steps: 4 }); await page.mouse.up(); await page.waitForTimeout(50);
  const c = await state();
  assert(c.x0 > b.x0 && c.y0 > b.y0, "dragging pans");
  await page.keyboard.press("/"); await page.keyboard.type("bar.sync"); await page.waitForTimeout(50);
  const d = await state();
  assert(d.hits > 0 && d.hit >= 0, "BAR.SYNC is found");
  await page.keyboard.press("Enter"); await page.waitForTimeout(50);
  assert(d.hits === 1 || (await state()).hit !== d.hit, "Enter goes to the next");
  await page.fill("#find", "0x0"); await page.waitForTimeout(50);
  assert((await state()).hits >= 1, "an address is found");
  await page.fill("#find", "no such"); await page.waitForTimeout(50);
  assert((await page.textContent("#found")) === "not found");
  await page.fill("#find", ""); await page.keyboard.press("Escape"); await page.keyboard.press("Home"); await page.waitForTimeout(50);
  const waits = await page.evaluate(() => { const s = data.sides[0]; const n = s.byRow.findIndex(i => i && (i.waits || []).some(x => x[1])); go(n); return n; });
  assert(waits >= 0, "an instruction that waits");
  await page.waitForTimeout(50);
  const box = await (await page.$("canvas")).boundingBox(), s = await state();
  await page.mouse.move(box.x + 420, box.y + 20 + (waits - s.y0 + .5) * s.rowH); await page.waitForTimeout(50);
  const tip = await page.textContent("#tip");
  assert(/waited (1 cycle|\d+ cycles): /.test(tip) && !/\b1 cycles/.test(tip), "hovering says why it waited: " + tip);
  await shot("view-tip");
  await page.keyboard.press("ArrowDown"); await page.waitForTimeout(50);
  assert(!await page.isVisible("#tip"), "a key that moves the picture hides the text");
  // Every cycle in the window has a reason where there is one: what wrote the last operand, or an
  // older instruction. The first instruction of inorder that has both, and one of ghost that
  // waits for an operand and has no cause of its own.
  const why = (side, word) => page.evaluate(([s, w]) => data.sides[s].insts.map(i => whys(data.sides[s], i).map(x => x.n + x.text).join("; ")).find(t => t.includes(w)), [side, word]);
  assert(/^\d+.* for #\d+ at 0x[0-9a-f]+ <b>.*, written in cycle \d+/.test(await why(1, "written in")), "an operand: " + await why(1, "written in"));
  assert(/behind #\d+ at 0x[0-9a-f]+ <b>.*, which is older, issued in cycle \d+/.test(await why(0, "behind")), "an older one: " + await why(0, "behind"));
  const over = await page.evaluate(() => data.sides.flatMap(s => s.insts.filter(i => whys(s, i).reduce((a, w) => a + w.n, 0) > i.issue - i.start)).length);
  assert.strictEqual(over, 0, "nothing waits for longer than it is there");
  // Causes have the colours and the words that other pages have.
  const key = await page.$$eval("#key span", all => all.map(e => e.textContent + "|" + e.title));
  assert(key.includes("compute|arithmetic result: waits for an arithmetic result"), "the key: " + key);
  await page.keyboard.press("0"); await page.waitForTimeout(100);
  await shot("view-fit");
  // Drawing time of a frame, and of the slowest one of a large page on the way from near to far.
  const frame = () => page.evaluate(() => { const t = performance.now(); for (let n = 0; n < 5; n++) panes.forEach(drawPane); return (performance.now() - t) / 5; });
  console.log("a frame takes " + (await frame()).toFixed(1) + " ms for " + s.rows + " rows");
  await page.goto("file://" + path.resolve(large));
  await page.waitForTimeout(1000);
  const rows = (await state()).rows;
  assert(rows > 20000, "rows of the large page: " + rows);
  let slowest = 0;
  for (let zoom = 0; zoom < 24; zoom++) {
    slowest = Math.max(slowest, await frame());
    await page.keyboard.press("-");
    await page.mouse.wheel(0, 200);
  }
  await page.keyboard.press("0");
  slowest = Math.max(slowest, await frame());
  await shot("view-large");
  console.log("at most " + slowest.toFixed(1) + " ms for " + rows + " rows");
  assert(slowest < 16, "a large page is not smooth: " + slowest.toFixed(1) + " ms per frame");
  const asked = Date.now();
  await page.keyboard.press("/"); await page.keyboard.type("bar"); await page.waitForFunction(() => window.leno.state().hits > 0);
  assert(Date.now() - asked < 2000, "a search takes " + (Date.now() - asked) + " ms");
  await page.goto("file://" + path.resolve(hot));
  await page.waitForTimeout(200);
  const count = async () => (await page.$$("#body tr")).length;
  const n = await count();
  assert(n > 20, "rows of the table: " + n);
  const top = () => page.textContent("#body tr:first-child td.where");
  const before = await top();
  await page.click("th.where"); assert((await top()) !== before, "sorted by place");
  await page.fill("#find", "bar.sync"); assert(await count() < n && await count() > 0, "filtered");
  await page.fill("#find", ""); await page.click("[data-level=loops]"); assert(await count() > 0, "loops");
  await page.click("[data-level=instructions]"); await page.click("th:nth-child(2)");
  const heads = await page.$$eval("#head th", all => all.map(t => t.textContent));
  const l2 = heads.findIndex(t => t.startsWith("inorder L2 hit %"));
  assert(l2 > 0, "a column of L2: " + heads);
  await page.fill("#find", "ldg"); assert(/^\d+\.\d$/.test(await page.textContent("#body tr:first-child td:nth-child(" + (l2 + 1) + ")")), "its hits, of a load");
  await page.fill("#find", "");
  assert((await page.textContent("#key")).includes("arithmetic result"), "causes by familiar names");
  // With places in the source: a column of its own, sorted by line, and found.
  await page.evaluate(() => { kernel.instructions.forEach((i, n) => { i.file = "/tmp/a.cu"; i.line = 200 - n; }); draw(); });
  await page.click("th:nth-child(2)");
  const first = () => page.textContent("#body tr:first-child td:nth-child(2)"), low = await first();
  await page.click("th:nth-child(2)");
  assert(/^a\.cu:\d+$/.test(low) && parseInt(low.slice(5)) < parseInt((await first()).slice(5)), "source lines: " + low + ", " + await first());
  await page.fill("#find", "a.cu:200"); assert(await count() === 1, "one line is found");
  await page.fill("#find", "");
  await shot("hot");
  await page.setViewportSize({ width: 420, height: 800 }); await shot("hot-narrow");
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  assert(await wide() <= 420, "hot: wider than a narrow screen");
  await page.goto("file://" + path.resolve(view)); await page.waitForTimeout(200); await shot("view-narrow");
  assert(await wide() <= 420, "view: wider than a narrow screen");
  await context.close();
  assert.deepStrictEqual(problems, [], "console errors or requests");
})().catch(e => { console.error(e.message || e); process.exit(1); });
