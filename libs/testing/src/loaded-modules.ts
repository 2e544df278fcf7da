import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PRELOADED = new URL('./module-log.js', import.meta.url).href;

/** Records which files a Node process loads as modules, from its start to its end. */
export class LoadedModules {
  private readonly folder = mkdtempSync(join(tmpdir(), 'ringdown-modules-'));

  /** Environment of a process that records its modules. */
  get env(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--import=${PRELOADED}`, RINGDOWN_MODULE_LOG: this.folder };
  }

  /** The files that a process has loaded, and for a bundle those that are in it; available once it has ended. */
  of(pid: number): readonly string[] {
    return readFileSync(join(this.folder, String(pid)), 'utf8')
      .split('\n')
      .flatMap(filesIn);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Those that a file was made from, by its source map: a bundle has no modules of its own. */
function filesIn(url: string): readonly string[] {
  const map = `${fileURLToPath(url)}.map`;
  if (/\/(?:node_modules|dist\/src)\//.test(url) || !existsSync(map)) return [url];
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(readFileSync(map, 'utf8'));
  return sources.map((source) => new URL(source, url).href);
}

/** The npm packages that files belong to. */
export function npmPackages(files: readonly string[]): readonly string[] {
  return [...new Set(files.flatMap((file) => packageOf(file) ?? []))].toSorted();
}

function packageOf(file: string): string | undefined {
  const inside = file.split('/node_modules/').at(-1);
  if (inside === undefined || inside === file) return undefined;
  return inside
    .split('/')
    .slice(0, inside.startsWith('@') ? 2 : 1)
    .join('/');
}
