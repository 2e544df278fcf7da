import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';

export interface SlowExport {
  /** Reads to the end, and resolves with whether that was the end of the file. */
  isWhole(): Promise<boolean>;
}

/** An export whose client has received its head, and takes nothing more for the moment. */
export async function startedExport(
  url: string,
  { token, ca }: { readonly token: string; readonly ca: string },
): Promise<SlowExport> {
  const request = get(url, { ca, headers: { authorization: `Bearer ${token}` }, agent: false });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event of a client request
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  let isWhole = false;
  request.on('error', () => undefined);
  response.on('error', () => undefined).on('end', () => (isWhole = true));
  return {
    async isWhole() {
      response.resume();
      if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
      return isWhole;
    },
  };
}
