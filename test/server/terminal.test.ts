// What reaches a terminal or a log only shows: nothing of the source moves the cursor, forges a line or hides a password.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { withoutSecrets } from '#server/secrets.ts';
import { createTerminal, jsonOf, linesOf, shown } from '#server/terminal.ts';
import { partOf } from '../chance.ts';
import { newFolder, runToEnd } from './program.ts';

/** Everything that a terminal obeys, or that turns letters round. */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/; // oxlint-disable-line no-control-regex

describe('a text of the source', () => {
  test.each([
    ['\u001b[2J\u001b[1;1Hall is well', '\\x1b[2J\\x1b[1;1Hall is well'],
    ['one\nchatledger: pulled', 'one\\nchatledger: pulled'],
    ['over\rwritten', 'over\\rwritten'],
    ['a\ttab', 'a\\ttab'],
    ['\u009b31m and \u007f', '\\x9b31m and \\x7f'],
    ['line\u2028and\u2029paragraph', 'line\\u2028and\\u2029paragraph'],
    ['fdp.\u202eexe', 'fdp.\\u202eexe'],
    ['\u2066isolated\u2069', '\\u2066isolated\\u2069'],
    ['żółć, 日本語, 🎉, עברית', 'żółć, 日本語, 🎉, עברית'],
  ])('%j is shown as %s', (text, seen) => {
    expect(shown(text)).toBe(seen);
  });

  test('is one line that nothing obeys, whatever it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !obeyed.test(shown(text))));
  });

  test('in JSON is what it was, and shows all the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = jsonOf({ [text]: [text] });
        expect(obeyed.test(written)).toBe(false);
        expect(JSON.parse(written)).toEqual({ [text]: [text] });
      }),
    );
  });

  test('forges no line in the log of an error', () => {
    const lines = linesOf(new Error('no such tag\n    at forged (file.ts:1:1)\nchatledger: \u001b[2Jpulled'));
    expect(lines[0]).toContain('chatledger: ');
    expect(lines.slice(1).join('\n')).not.toContain('forged');
    expect(lines.length).toBeGreaterThan(2);
  });

  test('moves nothing in the line of progress', () => {
    let written = '';
    const stream = { isTTY: true, write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream;
    const terminal = createTerminal(stream);
    terminal.say('the pull stopped: \u001b]0;title\u0007\n   0.1 s  pulled');
    terminal.progress('pulling \u001b[1A');
    // What begins the line anew is the program's own.
    expect(written.split('\r\u001b[K')).toEqual([
      '',
      expect.stringMatching(/^ +0\.\d s {2}the pull stopped: \\x1b\]0;title\\x07\\n {3}0\.1 s {2}pulled\n$/),
      expect.stringMatching(/^ +0\.\d s {2}pulling \\x1b\[1A$/),
    ]);
  });
});

describe('the command line', () => {
  test('shows what it refuses', async () => {
    const settings = { CHATLEDGER_TIMEZONE: 'Mars\u001b[2J\nchatledger: all is well' };
    const { code, complained } = await runToEnd(['pull'], settings, newFolder());
    expect([code, complained.trimEnd()]).toEqual([
      2,
      expect.stringMatching(/Mars\\x1b\[2J\\nchatledger: all is well must/),
    ]);
    expect(complained.trimEnd().split('\n')).toHaveLength(1);
    const unknown = await runToEnd(['pu\u001b[2Jll'], {}, newFolder());
    expect([unknown.code, unknown.complained]).toEqual([2, expect.stringContaining("'pu\\x1b[2Jll'")]);
  });

  test('shows what a source refuses with, and what a chat says', async () => {
    const words = '\u001b[2J\nchatledger: pulled';
    const source = createServer((_, response) =>
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: words, message: words })),
    ).listen(0, '127.0.0.1');
    await once(source, 'listening');
    const folder = newFolder();
    const { port } = source.address() as AddressInfo;
    const account = { CHATLEDGER_BASE_URL: `http://127.0.0.1:${port}`, CHATLEDGER_TOKEN: 'dal:x' };
    const { code, complained } = await runToEnd(['pull'], account, folder);
    source.close();
    expect([code, complained]).toEqual([3, expect.stringContaining('refused the credentials')]);
    expect(
      complained
        .trimEnd()
        .split('\n')
        .filter((line) => obeyed.test(line) || /^chatledger: pulled/.test(line)),
    ).toEqual([]);
    expect((await runToEnd(['snapshot'], account, folder)).code).toBe(0);
    const asked = await runToEnd(['sql', "select chr(27) || '[2J' || chr(10) || 'forged' as text"], {}, folder);
    expect(asked.said).toContain('\\x1b[2J\\nforged');
    expect(asked.said.trimEnd().split('\n')).toHaveLength(3);
  });

  test('gives a slow reader all of what was asked for', async () => {
    const { code, said } = await runToEnd(['metrics', '--json'], {}, newFolder());
    expect(code).toBe(0);
    expect(JSON.parse(said).metrics.length).toBeGreaterThan(10);
  });
});

describe('what stands in an address besides the address', () => {
  test.each([
    ['https://host', 'https://host'],
    ['http://[::1]:4010/path', 'http://[::1]:4010/path'],
    ['https://me:secret@host/path', 'https://…@host/path'],
    ['https//me:secret@host', '…@host'],
    ['me:secret@host', '…@host'],
    ['https:me:secret@host', 'https:…@host'],
    ['https://me:sec/ret#?@host', 'https://…@host'],
    ['https://me:secret@', 'https://…@'],
    ['https://me:secret', 'https://me:…'],
    ['me:secret', 'me:…'],
    ['https://host?api_key=secret', 'https://host?…'],
    ['\n https://me:secret@host', 'https://…@host'],
    ['clickhouse://me:secret@host:9000/chats', 'clickhouse://…@host:9000/chats'],
    ['clickhouse://me:secret@one:8123,two:8124/chats', 'clickhouse://…@one:8123,two:8124/chats'],
    ['clickhouse://one:8123,[::1]:8124/chats', 'clickhouse://one:8123,[::1]:8124/chats'],
    ['https://me:1234,secret', 'https://me:…'],
  ])('%j is printed as %s', (address, printed) => {
    expect(withoutSecrets(address)).toBe(printed);
  });

  const addresses = ['CHATLEDGER_BASE_URL', 'CHATLEDGER_PUBLIC_URL', 'CHATLEDGER_SMTP_URL', 'CHATLEDGER_WAREHOUSE'];
  const forms = ['https://me:hunter2@host', 'https//me:hunter2@host', 'ftp://me:hun@hunter2@host', 'me:hunter2'];
  test.each(partOf(forms, 2))('is printed nowhere: %s', async (form) => {
    const settings = Object.fromEntries(addresses.map((name) => [name, form]));
    const runs = [['doctor'], ['doctor', '--json'], ['pull']].map((words) => runToEnd(words, settings, newFolder()));
    for (const { code, said, complained } of await Promise.all(runs)) {
      expect(said + complained).not.toContain('hunter2');
      expect(code).not.toBe(0);
    }
  });

  test('an address in the wrong setting is printed no better', async () => {
    const { complained } = await runToEnd(['pull'], { CHATLEDGER_HOST: 'https://me:hunter2@host' }, newFolder());
    expect(complained).toContain('CHATLEDGER_HOST=https://…@host must be');
  });

  test('what is wrong with chatledger.json quotes nothing of it', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'chatledger.json'), '{"accounts": [{"base_url": "https://me:hunter2@h" "id": 1}]}');
    const { code, complained } = await runToEnd(['pull'], {}, folder);
    expect([code, complained]).toEqual([2, expect.stringContaining('chatledger.json is not JSON (')]);
    expect(complained).not.toContain('hunter2');
  });
});
