/* json_check.h - whether a text is one JSON value, by the grammar of RFC 8259. */
#ifndef LENO_TESTS_JSON_CHECK_H
#define LENO_TESTS_JSON_CHECK_H

#include <stdbool.h>
#include <string.h>

/* Each takes the text where something should start and gives the place behind it, NULL
 * if it is not there. */
static const char *json_value(const char *at);

static const char *json_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *json_text(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at != '\\')
            continue;
        at++;
        if (!*at || !strchr("\"\\/bfnrtu", *at))
            return NULL;
        if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") < 4)
            return NULL;
    }
    return at + 1;
}

static const char *json_digits(const char *at)
{
    size_t n = strspn(at, "0123456789");

    return n ? at + n : NULL;
}

static const char *json_number(const char *at)
{
    at += *at == '-';
    if (*at == '0' && strspn(at, "0123456789") > 1)
        return NULL;
    at = json_digits(at);
    if (at && *at == '.')
        at = json_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        at++;
        at = json_digits(at + (*at == '+' || *at == '-'));
    }
    return at;
}

/* The members of an object or array, its bracket already taken. */
static const char *json_members(const char *at, char end)
{
    at = json_space(at);
    if (*at == end)
        return at + 1;
    for (;; at++) {
        at = json_space(at);
        if (end == '}') {
            at = json_text(at);
            at = at ? json_space(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_value(at);
        if (!at)
            return NULL;
        at = json_space(at);
        if (*at == end)
            return at + 1;
        if (*at != ',')
            return NULL;
    }
}

static const char *json_value(const char *at)
{
    static const char *const words[] = { "true", "false", "null" };

    at = json_space(at);
    if (*at == '{' || *at == '[')
        return json_members(at + 1, *at == '{' ? '}' : ']');
    if (*at == '"')
        return json_text(at);
    for (size_t i = 0; i < 3; i++) {
        if (!strncmp(at, words[i], strlen(words[i])))
            return at + strlen(words[i]);
    }
    return json_number(at);
}

static bool json_is_valid(const char *text)
{
    const char *end = json_value(text);

    return end && !*json_space(end);
}

#endif
