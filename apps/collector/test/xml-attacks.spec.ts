import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { RunningCollector, startRecord } from './running-collector.js';

/** A record with something else in it. */
function withInside(inside: string): string {
  return startRecord({ filling: inside });
}

function withDtd(dtd: string, inside: string): string {
  return `<?xml version="1.0"?><!DOCTYPE Diagnostics [${dtd}]>${withInside(inside)}`;
}

const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
const attributes = (count: number, name: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${name(i)}="1"`).join(' ');

describe('XML that could attack its parser', () => {
  const started = new Started();
  let collector: RunningCollector;
  let fetched = 0;
  let canary = '';

  beforeAll(async () => {
    const nats = started.add(await startNats());
    collector = started.add(await RunningCollector.start(nats.url));
    const server = createServer((_request, response) => {
      fetched++;
      response.end('<secret/>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    started.add({ stop: () => new Promise((resolve) => server.close(() => resolve())) });
    const address = server.address();
    canary = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  });
  afterAll(() => started.stopAll());

  it.each<[string, string | Buffer, string]>([
    ['a billion laughs', withDtd(`<!ENTITY l0 "lol">${laughs}`, '&l9;'), 'doctype'],
    ['one long entity many times', withDtd(`<!ENTITY a "${'a'.repeat(50_000)}">`, '&a;'.repeat(50_000)), 'doctype'],
    ['an entity of itself', withDtd('<!ENTITY a "&b;"><!ENTITY b "&a;">', '&a;'), 'doctype'],
    ['a file of the server', withDtd('<!ENTITY f SYSTEM "file:///etc/hostname">', '&f;'), 'doctype'],
    ['a device that never ends', withDtd('<!ENTITY f SYSTEM "file:///dev/zero">', '&f;'), 'doctype'],
    ['default attributes', withDtd('<!ATTLIST Diagnostics Version CDATA "D">', ''), 'doctype'],
    ['an empty document type', `<!DOCTYPE Diagnostics>${withInside('')}`, 'doctype'],
    ['a document type in the middle', withInside('<!DOCTYPE a>'), 'not-xml'],
    ['an undeclared entity', withInside('<RawSDP>&secret;</RawSDP>'), 'not-xml'],
    ['a character that is none', withInside('<RawSDP>&#x110000;</RawSDP>'), 'not-xml'],
    ['depth', withInside('<a>'.repeat(100_000)), 'too-deep'],
    ['depth that is closed again', withInside('<a>'.repeat(40) + '</a>'.repeat(40)), 'too-deep'],
    ['breadth', withInside('<a/>'.repeat(90_000)), 'too-many-elements'],
    ['attributes', withInside(`<a ${attributes(30_000, (i) => `a${i}`)}/>`), 'too-many-attributes'],
    ['one attribute many times', withInside(`<a ${attributes(30_000, () => 'a')}/>`), 'too-many-attributes'],
    ['namespaces', withInside(`<a ${attributes(20_000, (i) => `xmlns:n${i}`)}/>`), 'too-many-attributes'],
    ['an attribute without an end', withInside(`<a b="${'x'.repeat(390_000)}`), 'not-xml'],
    ['a name without an end', withInside(`<${'n'.repeat(390_000)}`), 'not-xml'],
    ['a comment without an end', withInside(`<!--${'-'.repeat(390_000)}`), 'not-xml'],
    ['a CDATA section without an end', withInside(`<![CDATA[${']'.repeat(390_000)}`), 'not-xml'],
    ['UTF-16', Buffer.from(`\u{feff}${withInside('')}`, 'utf16le'), 'bad-encoding'],
    [
      'UTF-16 that says UTF-8',
      Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${withInside('')}`, 'utf16le'),
      'not-xml',
    ],
    ['UTF-7', `<?xml version="1.0" encoding="UTF-7"?>${withInside('+ADw-a+AD4-')}`, 'bad-encoding'],
    ['a code page', `<?xml version="1.0" encoding="IBM037"?>${withInside('')}`, 'bad-encoding'],
    ['overlong UTF-8', Buffer.concat([Buffer.from('<Diagnostics>'), Buffer.from([0xc0, 0xbc])]), 'bad-encoding'],
    ['half a character at the end', Buffer.concat([Buffer.from(withInside('')), Buffer.from([0xe4])]), 'bad-encoding'],
    ['half a surrogate pair in UTF-8', Buffer.from([0x3c, 0xed, 0xa0, 0x80, 0x3e]), 'bad-encoding'],
    ['NUL bytes', withInside('<a>\0</a>'), 'not-xml'],
    ['version 1.1 and its control characters', `<?xml version="1.1"?>${withInside('<a>&#1;</a>')}`, 'not-xml'],
    ['a second document behind it', `${withInside('')}<!DOCTYPE x SYSTEM "x">`, 'not-xml'],
  ])('%s: is rejected', async (_what, body, code) => {
    const before = (await collector.stored()).length;
    const response = await collector.post(body);
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringContaining(`<Code>${code}`)]);
    expect(text.length).toBeLessThan(1_000);
    expect((await collector.stored()).length).toBe(before);
  });

  it('does not cause any network or file access', async () => {
    const external = [
      withDtd(`<!ENTITY x SYSTEM "${canary}">`, '<RawSDP>&x;</RawSDP>'),
      withDtd(`<!ENTITY % x SYSTEM "${canary}"> %x;`, ''),
      `<!DOCTYPE Diagnostics SYSTEM "${canary}">${withInside('')}`,
      `<!DOCTYPE Diagnostics PUBLIC "-//a//b" "${canary}">${withInside('')}`,
    ];
    for (const body of external) expect((await collector.post(body)).status).toBe(400);
    const harmless = [
      `<?xml-stylesheet href="${canary}"?>${withInside('')}`,
      withInside(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${canary}"/>`),
      withInside(`<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="x ${canary}"/>`),
    ];
    for (const body of harmless) expect((await collector.post(body)).status).toBe(200);
    expect(fetched).toBe(0);
  });

  it('may contain names of inherited properties like any other name', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const inside = `<${name} ${name}="x"><polluted>yes</polluted></${name}>`;
      expect((await collector.post(withInside(inside))).status).toBe(200);
    }
    expect(Object(Object.prototype).polluted).toBeUndefined();
  });

  it('may contain text with the longest possible escapes', async () => {
    const inside = `<RawSDP>${'&amp;'.repeat(60_000)}</RawSDP>`;
    expect((await collector.post(withInside(inside))).status).toBe(200);
    const [last] = (await collector.stored()).toReversed();
    expect(last?.xml).toContain(inside);
  });

  it('may contain a character reference with any number of digits', async () => {
    expect((await collector.post(withInside(`<RawSDP>&#${'0'.repeat(300_000)}65;</RawSDP>`))).status).toBe(200);
  });

  it('may have a byte order mark and a declaration', async () => {
    const body = `\u{feff}<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${withInside('')}`;
    expect((await collector.post(body)).status).toBe(200);
  });
});
