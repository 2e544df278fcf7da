import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Programs run as bundles (docs/adr/0088). From now on stack traces name the source of each frame. The map of a bundle is read when a trace first
 * needs it: with Node's own `--enable-source-maps` every start would read all of them.
 */
export function nameSourcesInStacks(): void {
  const maps = new SourceMaps();
  Error.prepareStackTrace = (error, frames) =>
    [traceHead(error), ...frames.map((frame) => `    at ${maps.textOf(frame)}`)].join('\n');
}

/** As V8 begins a trace: an error that cannot be made a text must not become another error. */
function traceHead(error: Error): string {
  try {
    return String(error);
  } catch {
    return '<error>';
  }
}

interface Frame extends Pick<NodeJS.CallSite, 'getFileName' | 'getLineNumber' | 'getColumnNumber'> {
  toString(): string;
}

class SourceMaps {
  /** By the URL of a file; undefined for one without a map. */
  private readonly maps = new Map<string, SourceMap | undefined>();

  /** What V8 writes of a frame, with the source in place of the bundle. */
  textOf(frame: Frame): string {
    const text = frame.toString();
    const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
    if (!file?.startsWith('file:') || line === null || column === null) return text;
    const origin = this.mapOf(file)?.findEntry(line - 1, column - 1);
    if (origin === undefined || !('originalSource' in origin)) return text;
    const source = fileURLToPath(new URL(origin.originalSource, file));
    const place = `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
    return text.replace(`${file}:${line}:${column}`, () => place);
  }

  private mapOf(file: string): SourceMap | undefined {
    if (!this.maps.has(file)) this.maps.set(file, readMap(file));
    return this.maps.get(file);
  }
}

/** Whatever is wrong with a map, the trace is written without it. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
