import { captureBegins } from './read-capture.js';
import { logBegins } from './read-log.js';
import { bytesOf, type SourceFile } from './source-file.js';

/**
 * Files in the order of what is first in them, so that a call that goes on in the next file has begun before: shells sort
 * `x.1.log` in front of `x.log`. One without a time stays behind the one that was given before it.
 */
export async function inOrder(files: readonly SourceFile[]): Promise<readonly SourceFile[]> {
  if (files.length < 2) return files;
  const timed: { readonly source: SourceFile; readonly at: number }[] = [];
  for (const source of files) {
    const begins = source.holds === 'capture' ? captureBegins : logBegins;
    const before = timed.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    timed.push({ source, at: (await begins(bytesOf(source))) ?? before });
  }
  return timed.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ source }) => source);
}
