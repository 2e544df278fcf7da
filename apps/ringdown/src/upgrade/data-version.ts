import { errorReason, nodeErrorCode } from '@ringdown/errors';
import { SettingsError } from '@ringdown/settings';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeDurably } from '../files/durable-file.js';
import type { Release } from './release.js';

const FILE = 'data-version.json';

/** What `data-version.json` says of a data folder. Later versions may add names, which are ignored and kept. */
export interface DataVersion {
  /** The version that was ready with these data last. Undefined until one was. */
  readonly complete?: Release;
  /** A version that has begun to change them, and was not ready yet. */
  readonly upgradingTo?: Release;
  /** A downgrade has put the data back for this version: a later one that would change them waits for leave. */
  readonly heldFor?: string;
}

/** Undefined for a folder without the file: without data, or of a version before there was one. Throws if it cannot be read. */
export function readDataVersion(folder: string): DataVersion | undefined {
  const content = readContent(folder);
  if (content === undefined) return undefined;
  const { version, upgradingTo, heldFor } = content;
  return {
    ...(version !== undefined && { complete: parseRelease(folder, content) }),
    ...(upgradingTo !== undefined && { upgradingTo: parseRelease(folder, upgradingTo) }),
    ...(typeof heldFor === 'string' && { heldFor }),
  };
}

/** From now on, older versions do not touch the folder, also when this process ends before it is ready. */
export function writeUpgradeBegun(folder: string, own: Release): void {
  write(folder, { ...readContent(folder), upgradingTo: namesOf(own) });
}

/** `servers`: versions of the servers inside, for those who upgrade them later. */
export function writeUpgradeComplete(
  folder: string,
  own: Release,
  servers: Readonly<Record<string, string>> = {},
): void {
  const found = readContent(folder);
  const { upgradingTo: _ended, ...kept } = found ?? {};
  const content = { ...kept, ...namesOf(own), ...servers };
  // Usually it does: a start then needs no room on the disk.
  if (!isDeepStrictEqual(content, found)) write(folder, content);
}

/** After a downgrade: the folder is that of a version again. */
export function writeHold(folder: string, version: string): void {
  write(folder, { ...readContent(folder), heldFor: version });
}

/** Later versions may take over the data again. */
export function releaseHold(folder: string): void {
  const { heldFor, ...content } = readContent(folder) ?? {};
  if (heldFor !== undefined) write(folder, content);
}

function namesOf({ format, version, schema }: Release): Record<string, unknown> {
  return { format, version, schema };
}

type Content = Readonly<Partial<Record<string, unknown>>>;

function readContent(folder: string): Content | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, FILE), 'utf8');
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT' || nodeErrorCode(error) === 'ENOTDIR') return undefined;
    throw unreadable(folder, error);
  }
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null) return { ...content };
  } catch (error) {
    throw unreadable(folder, error);
  }
  throw unreadable(folder, 'it is not an object');
}

function parseRelease(folder: string, value: unknown): Release {
  const { version, schema, format }: Partial<Record<keyof Release, unknown>> = Object(value);
  if (typeof version === 'string' && isCount(schema) && isCount(format)) return { version, schema, format };
  throw unreadable(folder, 'version, schema or format is missing');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Never taken for a folder without the file: an older version would then change data that it does not know. */
function unreadable(folder: string, error: unknown): SettingsError {
  return new SettingsError([
    `${join(folder, FILE)} does not say which version the data are of (${errorReason(error)}), and nothing was changed: ` +
      'remove the file if no later version than this one has run on the folder',
  ]);
}

function write(folder: string, content: Content): void {
  const file = join(folder, FILE);
  try {
    writeDurably(file, `${JSON.stringify(content)}\n`);
  } catch (error) {
    throw new Error(`the version of the data cannot be written to ${file} (DATA_DIR): ${errorReason(error)}`, {
      cause: error,
    });
  }
}
