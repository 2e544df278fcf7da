import { ownSchemaVersion } from '@ringdown/aggregator/schema-version';
import { ownVersion } from '@ringdown/service/announce';
import { readFileSync } from 'node:fs';

/** What decides whether the data of one version can be read by another. */
export interface Release {
  /** As in package.json: `1.0.0`. */
  readonly version: string;
  /** Of the database: how many migrations it has. */
  readonly schema: number;
  /** Of everything else in a data folder; raised when an older program would read it wrongly. */
  readonly format: number;
}

/** This program. */
export interface OwnRelease extends Release {
  /** The oldest version whose data it takes over. */
  readonly upgradesFrom: string;
}

/** Of the checkout or of the package, which has the same names. */
const MANIFEST = new URL('../../../../../package.json', import.meta.url);

export function ownRelease(): OwnRelease {
  const { dataFormat, upgradesFrom } = readOwnFacts();
  return { version: ownVersion(), schema: ownSchemaVersion(), format: dataFormat, upgradesFrom };
}

/** `ringdown` in package.json of the root. */
function readOwnFacts(): { readonly dataFormat: number; readonly upgradesFrom: string } {
  const { ringdown }: { readonly ringdown?: unknown } = Object(JSON.parse(readFileSync(MANIFEST, 'utf8')));
  const { dataFormat, upgradesFrom }: Partial<Record<'dataFormat' | 'upgradesFrom', unknown>> = Object(ringdown);
  if (typeof dataFormat === 'number' && typeof upgradesFrom === 'string') return { dataFormat, upgradesFrom };
  throw new Error('package.json of the root does not say which data this version reads ("ringdown")');
}

const CORE = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/;

/** Compares the three numbers of versions: what comes before a release (`1.0.0-rc.1`) has the data of the release. */
export function isOlderVersion(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((text) => CORE.exec(text)?.slice(1).map(Number) ?? []);
  for (const [index, number] of (theirs ?? []).entries()) {
    const difference = (ours?.[index] ?? 0) - number;
    if (difference !== 0) return difference < 0;
  }
  return false;
}
