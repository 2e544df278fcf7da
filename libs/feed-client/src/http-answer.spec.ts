import * as fc from 'fast-check';
import { NoAnswer, readHttpAnswer, type HttpAnswer } from './http-answer.js';

function read(text: string, isEnd = false): HttpAnswer | undefined {
  return readHttpAnswer(Buffer.from(text), isEnd);
}

/** The answer that was read, or the message of the error. */
function outcome(bytes: Buffer, isEnd: boolean): HttpAnswer | string | undefined {
  try {
    return readHttpAnswer(bytes, isEnd);
  } catch (error) {
    if (error instanceof NoAnswer) return error.message;
    throw error;
  }
}

const PLAIN = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: x\r\n\r\n';

describe('readHttpAnswer', () => {
  it.each([
    ['with a Content-Length', PLAIN],
    ['with the same Content-Length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\nhello'],
    ['in chunks with trailers', CHUNKED],
    ['in chunks without trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['of HTTP/1.0 with keep-alive', `HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n${PLAIN.slice(17)}`],
  ])('keeps the connection after an answer %s', (_how, text) => {
    expect(read(text)).toEqual({
      kind: 'final',
      answer: { status: 200, body: 'hello' },
      length: text.length,
      isKept: true,
    });
    expect(read(`${text}HTTP/1.1 500`)).toEqual(read(text));
  });

  it.each([
    ['sends Connection: close', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, Close\r\n\r\nhello'],
    ['uses HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello'],
    ['ends the answer by closing', 'HTTP/1.1 200 OK\r\n\r\nhello'],
  ])('does not keep the connection if the server %s', (_why, text) => {
    expect(read(text, true)).toMatchObject({ answer: { status: 200, body: 'hello' }, isKept: false });
  });

  it.each([
    ['100 Continue', 100],
    ['103 Early Hints', 103],
  ])('reads the interim answer %s before the final one', (line, status) => {
    const text = `HTTP/1.1 ${line}\r\nLink: x\r\n\r\n`;
    expect(read(`${text}${PLAIN}`)).toEqual({ kind: 'interim', status, length: text.length });
  });

  it('reads an answer without a body', () => {
    expect(read('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({ answer: { status: 204, body: '' }, isKept: true });
    expect(read('HTTP/1.1 413\r\nContent-Length: 0\r\n\r\n')).toMatchObject({ answer: { status: 413, body: '' } });
  });

  it.each([PLAIN, CHUNKED])(
    'returns undefined until the answer is complete, and throws if it ends before: %j',
    (text) => {
      for (let length = 0; length < text.length; length++) {
        expect(read(text.slice(0, length))).toBeUndefined();
        expect(() => read(text.slice(0, length), true)).toThrow(NoAnswer);
      }
    },
  );

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'the answer is not HTTP/1.1'],
    ['another protocol with a complete head', 'RTSP/1.0 200 OK\r\n\r\n', 'the answer is not HTTP/1.1'],
    ['an invalid status', 'HTTP/1.1 999 Odd\r\n\r\n', 'the answer is not HTTP/1.1'],
    ['an invalid header', 'HTTP/1.1 200 OK\r\nhello\r\n\r\n', 'the answer is not HTTP/1.1'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n', 'the answer is not HTTP/1.1'],
    ['an invalid length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'the answer is not HTTP/1.1'],
    ['an invalid chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'the answer is not HTTP/1.1'],
    [
      'a chunk that is longer than its size',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n',
      'the answer is not HTTP/1.1',
    ],
    ['an unsupported transfer coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n', 'transfer coding "gzip"'],
    ['a body that is too long', 'HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n', 'longer than 65536 bytes'],
    ['chunks that are too long', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11000\r\n', 'longer than'],
    ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}`, 'headers of the answer are longer than'],
  ])('rejects %s', (_what, text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('reads or rejects any bytes, and consumes no more than there are', () => {
    const start = fc.constantFrom(
      '',
      'HTTP/1.',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const noise = fc.string({ maxLength: 60 });
    fc.assert(
      fc.property(start, noise, fc.boolean(), (text, tail, isEnd) => {
        const bytes = Buffer.from(`${text}${tail}`, 'latin1');
        const found = outcome(bytes, isEnd);
        const length = typeof found === 'object' ? found.length : 0;
        expect(length).toBeLessThanOrEqual(bytes.length);
        expect(isEnd && found === undefined).toBe(false);
      }),
    );
  });
});
