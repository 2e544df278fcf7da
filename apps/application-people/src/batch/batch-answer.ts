import { customaryHeaders, spelledHeader } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';
import { STATUS_CODES } from 'node:http';

/** The response to one request of a batch. */
export interface PartAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The headers that have a meaning inside a batch; the response to the batch itself has all others. */
const PART_HEADERS = ['cache-control', 'etag', 'location', 'allow', 'retry-after', 'warning', 'www-authenticate'];

/**
 * The body of the response to a batch, byte for byte as its clients parse it: with a space after the semicolon, and the
 * content type as the last header (web-interface.md, section 9).
 */
export function batchAnswer(answers: readonly PartAnswer[], boundary: string, web: WebNames): Buffer {
  const parts = answers.flatMap((answer) => [
    Buffer.from(
      `--${boundary}\r\nContent-Type: application/http; msgtype=response\r\n\r\n${partAnswerHead(answer, web)}\r\n\r\n`,
    ),
    answer.body,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

function partAnswerHead({ status, headers, body }: PartAnswer, web: WebNames): string {
  const names = body.length === 0 ? PART_HEADERS : [...PART_HEADERS, 'content-type'];
  const lines = names.flatMap((name) => {
    const value = headers[name];
    if (value === undefined) return [];
    const spelled = spelledHeader(name, web.headerPrefix, customaryHeaders(web));
    return [value].flat().map((each) => `${spelled}: ${each}`);
  });
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...lines].join('\r\n');
}
