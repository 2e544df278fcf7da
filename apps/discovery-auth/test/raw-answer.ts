import { request } from 'node:http';

export interface RawAnswer {
  readonly status: number;
  /** Names and values alternate, in the order of arrival. */
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with what `fetch` hides or forbids: any `Host`, the case of names, several headers of the same name, any target. */
export function rawAnswer(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; target?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method, headers, target: path = new URL(url).pathname + new URL(url).search } = options;
    request(url, { method, headers, path }, (response) => {
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

/** The values of all headers with this name, in exactly this case. */
export function rawHeaderValues({ rawHeaders }: RawAnswer, name: string): string[] {
  return rawHeaders.flatMap((each, at) => (at % 2 === 0 && each === name ? [rawHeaders[at + 1] ?? ''] : []));
}
