import { InterfaceError } from '@ringdown/web-server/errors';
import { readBatch } from './batch-body.js';

const TYPE = 'multipart/batching;boundary=X';

function read(body: string | Buffer, type: string | undefined = TYPE): unknown {
  try {
    return readBatch(type, Buffer.from(body)).map(({ method, target, headers, body: content }) => [
      method,
      target,
      Object.fromEntries(headers),
      content.toString(),
    ]);
  } catch (error) {
    if (error instanceof InterfaceError) return `${error.row.subcode}: ${error.message}`;
    throw error;
  }
}

function part(...lines: readonly string[]): string {
  return ['--X', 'Content-Type: application/http; msgtype=request', '', ...lines, ''].join('\r\n');
}

const GET = part('GET /a/me HTTP/1.1', 'Host: uc.test', 'Accept: application/json', '', '');
const READ_GET = ['GET', '/a/me', { host: 'uc.test', accept: 'application/json' }, ''];

describe('the body of a batch', () => {
  it('contains requests as the known clients write them', () => {
    const post = part(
      'POST /a/note HTTP/1.1',
      'Content-Type: application/json',
      'Data: {bogus}',
      '',
      '{"message":"hi"}',
    );
    expect(read(`${GET}${post}--X--\r\n`)).toEqual([
      READ_GET,
      ['POST', '/a/note', { 'content-type': 'application/json', data: '{bogus}' }, '{"message":"hi"}'],
    ]);
  });

  it.each([
    ['an empty line in front', `\r\n${GET}--X--`],
    ['a word in front', `To whom it may concern\r\n${GET}--X--`],
    ['no boundary at the end', GET],
    ['more text behind the end', `${GET}--X--\r\nepilogue\r\n--X\r\n`],
    ['lines that end in LF alone', `${GET}--X--`.replaceAll('\r', '')],
    ['parts without a head', `${GET}--X--`.replace('Content-Type: application/http; msgtype=request\r\n', '')],
    ['spaces behind the boundary', `${GET}--X--`.replace('--X\r\n', '--X \t\r\n')],
  ])('is read with %s', (_what, body) => {
    expect(read(body)).toEqual([READ_GET]);
  });

  it.each(['multipart/batching; Boundary="X"', 'multipart/batching;charset=utf-8; boundary=X; x=y'])(
    'is read as %s',
    (type) => {
      expect(read(GET, type)).toEqual([READ_GET]);
    },
  );

  it('reads a text up to its declared length, or up to the boundary', () => {
    const text = 'two\r\n\r\nlines ü\r\n';
    const length = Buffer.byteLength(text);
    expect(read(part('POST /m HTTP/1.1', `Content-Length: ${length}`, '', `${text}\r\n`))).toEqual([
      ['POST', '/m', { 'content-length': String(length) }, text],
    ]);
    expect(read(part('POST /m', '', text))).toEqual([['POST', '/m', {}, 'two\r\n\r\nlines ü']]);
  });

  it('may have spaces and letters of any script in a target', () => {
    expect(read(part('GET /a/search?query=Zoë Em&limit=3 HTTP/1.1', '', ''))).toMatchObject([
      ['GET', '/a/search?query=Zoë Em&limit=3', {}, ''],
    ]);
  });

  it.each([
    ['', 'The body contains no parts.'],
    ['--X--', 'The body contains no parts.'],
    ['--Y\r\n\r\nGET / HTTP/1.1\r\n', 'The body contains no parts.'],
    [`${GET}${part('get /a HTTP/1.1')}`, 'Part 2 does not contain a request.'],
    [part('FETCH /a HTTP/1.1'), 'Part 1 does not contain a request.'],
    [part('GET'), 'Part 1 does not contain a request.'],
    [part('GET  HTTP/1.1'), 'Part 1 does not contain a request.'],
    [part(''), 'Part 1 does not contain a request.'],
    [
      part('GET /a HTTP/1.1', ...Array.from({ length: 51 }, (_, n) => `X-${n}: y`)),
      'Part 1 does not contain a request.',
    ],
  ])('is rejected as %j', (body, message) => {
    expect(read(body)).toBe(`DeserializationFailure: ${message}`);
  });

  it.each([
    'multipart/batching',
    'multipart/batching; boundary=',
    `multipart/batching; boundary=${'x'.repeat(71)}`,
    '',
  ])('is rejected without a boundary in its type: %s', (type) => {
    expect(read(GET, type)).toMatch(/^DeserializationFailure/);
  });

  it('is read quickly, whatever it contains', () => {
    const begun = process.cpuUsage();
    for (const filler of ['\r\n', ' ', '--X', '\r\n--X ', '\r\n--X\r\n\r\n\r\nGET ', ':', '\r\n--X\t']) {
      read(filler.repeat(Math.ceil((256 * 1024) / filler.length)));
      read(part(`GET /${filler.repeat(20_000)}a HTTP/1.1`, '', `${filler.repeat(20_000)}a`));
    }
    // A fraction of a second; with quadratic time it would be many minutes.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(30_000);
  });
});
