import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  /** Names and values in turns, as they came. */
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** What `fetch` hides or forbids: any `Host`, the case of names, lines of the same name. */
export function rawAnswer(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request(url, { method: options.method, headers: options.headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => {
        const { statusCode: status = 0, rawHeaders, headers } = response;
        resolve({ status, rawHeaders, headers, body });
      });
    })
      .on('error', reject)
      .end(options.body);
  });
}

/** The values of a header, one a line, by its name in exactly this case. */
export function linesOf({ rawHeaders }: RawAnswer, name: string): string[] {
  return rawHeaders.flatMap((each, at) => (at % 2 === 0 && each === name ? [rawHeaders[at + 1] ?? ''] : []));
}
