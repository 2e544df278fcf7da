import { readPlainPost } from '@ringdown/node-http/requests';
import { errorReason } from '@ringdown/errors';
import { Dice } from '@ringdown/testing/fuzz/dice';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';

const FORM = { mostBytes: 1_000, isType: (type: string): boolean => type.startsWith('text/xml') };
const RUNS = 20_000;

function post(body = '<x/>', headers = ''): Buffer {
  const head = `POST /a HTTP/1.1\r\nHost: collector:8080\r\nContent-Type: text/xml\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${head}${headers}\r\n${body}`);
}

/** What Node reads of the bytes, when nothing follows them. */
async function readByNode(bytes: Buffer): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers, httpVersion } = request;
    const isKept = response.shouldKeepAlive;
    const read = (body: Buffer): void => {
      seen.push({ method, httpVersion, isKept, path: url, host: headers.host, body: body.toString('latin1') });
      response.end();
    };
    buffer(request).then(read, (error: unknown) => seen.push(errorReason(error)));
  });
  server.on('clientError', (error, socket) => {
    seen.push(error.message);
    socket.destroy();
  });
  const [ours, theirs] = duplexPair();
  server.emit('connection', ours);
  const closed = Promise.race([once(theirs, 'end'), once(theirs, 'close')]);
  const replied = Promise.race([once(theirs, 'data'), closed]);
  theirs.write(bytes);
  await replied;
  // What is left of an unfinished request is an error then.
  theirs.end();
  await closed;
  server.close();
  return seen;
}

const NAMES = ['Host', 'Content-Type', 'Content-Length', 'Connection', 'Accept', 'User-Agent'];
const OTHER_NAMES = ['HOST', 'content-length', 'Transfer-Encoding', 'Expect', 'Upgrade', 'X-A', ''];
const SEPARATORS = [':', ' : ', ':\t', ':  ', ' '];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  host: ['collector', 'collector:8080', '[::1]:80', 'a b', 'a,b', ''],
  'content-type': ['text/xml', 'text/xml; charset=utf-8', 'application/json', ''],
  'content-length': [
    '4',
    '4',
    '4',
    '0',
    '5',
    '3',
    '+4',
    '-4',
    '04',
    '0x4',
    '4, 4',
    '4 4',
    '4.0',
    '99999999999999999999',
    '',
  ],
  connection: ['keep-alive', 'Keep-Alive', 'close', 'upgrade', 'keep-alive, close'],
  'transfer-encoding': ['chunked', 'identity', 'gzip'],
  expect: ['100-continue', 'miracles'],
};
const OTHER_VALUES = ['a', 'text/xml, */*', 'b\0', 'é', '\u007f', 'a\tb'];
const LINE_ENDS = ['\n', '\r', '\r\n ', ''];
const STARTS = [
  'POST /a HTTP/1.0',
  'GET /a HTTP/1.1',
  'POST  /a HTTP/1.1',
  'POST a HTTP/1.1',
  '\r\nPOST /a HTTP/1.1',
  'POST /é HTTP/1.1',
];
const USUAL = ['Host: a\r\n', 'Content-Type: text/xml\r\n', 'Content-Length: 4\r\n'];
const BODIES = ['<x/>', '<x/>', '<x/>', '<é>!', '<x/', '<x/>1', '<x/>GET / HTTP/1.1\r\n\r\n'];
const INSERTED = ['', ' ', '\r', '\n', '\r\n', '\0', '\t', ':', 'x', '0', 'é'];

function headerLine(dice: Dice): string {
  const name = dice.of(dice.onceIn(4) ? OTHER_NAMES : NAMES);
  const separator = dice.onceIn(8) ? dice.of(SEPARATORS) : ': ';
  const value = dice.of(VALUES[name.toLowerCase()] ?? OTHER_VALUES);
  return `${name}${separator}${value}${dice.onceIn(12) ? dice.of(LINE_ENDS) : '\r\n'}`;
}

/** A request that is plain, or nearly, or not at all. */
function request(dice: Dice): Buffer {
  const start = dice.onceIn(12) ? dice.of(STARTS) : 'POST /a HTTP/1.1';
  const lines = USUAL.filter(() => !dice.onceIn(10));
  for (let more = dice.below(3); more > 0; more--) lines.splice(dice.below(lines.length + 1), 0, headerLine(dice));
  let text = `${start}\r\n${lines.join('')}\r\n${dice.of(BODIES)}`;
  for (let changes = dice.onceIn(3) ? 1 + dice.below(2) : 0; changes > 0; changes--) {
    const place = dice.below(text.length);
    text = text.slice(0, place) + dice.of(INSERTED) + text.slice(place + dice.below(3));
  }
  return Buffer.from(text, 'latin1');
}

describe('a post in the plain form', () => {
  it.each([1, 2, 3, 4])('is one request, and the same, for Node as well (seed %i)', async (seed) => {
    const dice = new Dice(seed);
    let plain = 0;
    for (let run = 0; run < RUNS; run++) {
      const bytes = request(dice);
      const read = readPlainPost(bytes, FORM);
      if (read === undefined || read === 'unfinished') continue;
      plain++;
      const { path, host, body } = read;
      const expected = { method: 'POST', httpVersion: '1.1', isKept: true, path, host, body: body.toString('latin1') };
      expect(await readByNode(bytes)).toEqual([expected]);
    }
    // Both outcomes really occur.
    expect(plain).toBeGreaterThan(RUNS / 50);
    expect(plain).toBeLessThan(RUNS / 2);
  });

  it('is unfinished until its last byte, and nothing while its head is', () => {
    const bytes = post('<Diagnostics/>', 'Connection: Keep-Alive\r\nUser-Agent: front end/1.0\r\n');
    const begin = bytes.indexOf('\r\n\r\n') + 4;
    for (let end = 0; end < bytes.length; end++) {
      expect(readPlainPost(bytes.subarray(0, end), FORM)).toBe(end < begin ? undefined : 'unfinished');
    }
    const read = { path: '/a', host: 'collector:8080', body: Buffer.from('<Diagnostics/>') };
    expect(readPlainPost(bytes, FORM)).toEqual(read);
  });

  it.each<[string, Buffer]>([
    ['a second request behind it', Buffer.concat([post(), post()])],
    ['a larger body', post('x'.repeat(1_001))],
    ['a head of more than a kilobyte', post('<x/>', `User-Agent: ${'a'.repeat(1_024)}\r\n`)],
    ['a type that is not read', Buffer.from(post().toString().replace('text/xml', 'application/json'))],
    ['an expectation', post('<x/>', 'Expect: 100-continue\r\n')],
    ['an origin', post('<x/>', 'Origin: http://page.test\r\n')],
    ['a compressed body', post('<x/>', 'Content-Encoding: gzip\r\n')],
    ['a connection that ends', post('<x/>', 'Connection: close\r\n')],
    ['a header twice', post('<x/>', 'Content-Length: 4\r\n')],
  ])('has not %s', (_what, bytes) => {
    expect(readPlainPost(bytes, FORM)).toBeUndefined();
  });
});
