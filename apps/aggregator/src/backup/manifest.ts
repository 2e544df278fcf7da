import { nodeErrorCode, errorReason } from '@ringdown/errors';
import { parseSnapshotHead, type SnapshotHead } from '@ringdown/nats/streams';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Raised when an older program would restore something wrong. */
export const BACKUP_FORMAT = 1;
export const MANIFEST_FILE = 'manifest.json';

/** A file of a backup, by its path in the folder. */
export interface FileEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface TableCopy {
  readonly name: string;
  /** In the order of the values of a row. */
  readonly columns: readonly string[];
  readonly rows: number;
}

/** A part of a table, whose rows are copied with the table. */
export interface PartitionCopy {
  readonly table: string;
  readonly name: string;
  /** As PostgreSQL writes it: `FOR VALUES FROM (…) TO (…)`. */
  readonly bound: string;
}

export interface SequenceCopy {
  readonly name: string;
  readonly lastValue: string;
}

export interface DatabaseCopy {
  /** Version of the last migration. */
  readonly schemaVersion: number;
  readonly tables: readonly TableCopy[];
  readonly partitions: readonly PartitionCopy[];
  readonly sequences: readonly SequenceCopy[];
  /** Tables of other programs, which were not copied. */
  readonly leftOut?: readonly string[];
}

/** What a backup contains. */
export interface Contents {
  /** Version of the program that made it. */
  readonly program: string;
  readonly createdAt: string;
  readonly database: DatabaseCopy;
  readonly streams: readonly SnapshotHead[];
  /** Paths in the data folder; in the backup they are in the folder `data`. */
  readonly dataFiles: readonly string[];
}

export interface Manifest extends Contents {
  readonly format: number;
  readonly files: readonly FileEntry[];
}

/** The text of a manifest, with a digest of its own content. */
export function sealManifest(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, digest: contentDigest(manifest) }, undefined, 2)}\n`;
}

/** Throws an Error in clear words when the folder is not a complete backup, was changed, or is newer than this program. */
export async function readManifest(folder: string): Promise<Manifest> {
  const { digest, ...content } = parsed(folder, await manifestText(folder));
  const { format, files, streams, dataFiles } = content;
  if (typeof format === 'number' && format > BACKUP_FORMAT) {
    throw new Error(
      `the backup in ${folder} has format ${format}, and this program reads ${BACKUP_FORMAT}: use the version of Ringdown that made it, or a later one`,
    );
  }
  if (digest !== contentDigest(content))
    throw new Error(`${MANIFEST_FILE} in ${folder} was changed: its digest is wrong`);
  if (!Array.isArray(files) || !Array.isArray(streams) || !Array.isArray(dataFiles)) {
    throw new Error(`${MANIFEST_FILE} in ${folder} does not describe a backup`);
  }
  for (const head of streams) parseSnapshotHead(head);
  for (const path of [...files.map((file) => Object(file).path), ...dataFiles]) assertInside(folder, path);
  return content;
}

async function manifestText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, MANIFEST_FILE), 'utf8');
  } catch (error) {
    const why = nodeErrorCode(error) === 'ENOENT' ? `it has no ${MANIFEST_FILE}` : errorReason(error);
    throw new Error(`${folder} is not a complete backup: ${why}`, { cause: error });
  }
}

/** What {@link sealManifest} has written, if its digest is right. */
function parsed(folder: string, text: string): Manifest & { readonly digest?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch (error) {
    throw new Error(`${MANIFEST_FILE} in ${folder} is cut off or was changed: ${errorReason(error)}`, { cause: error });
  }
}

function contentDigest(content: object): string {
  return hash('sha256', JSON.stringify(content), 'hex');
}

function assertInside(folder: string, path: unknown): void {
  const names = typeof path === 'string' ? path.split('/') : [''];
  if (names.every((name) => name !== '' && name !== '.' && name !== '..' && !name.includes('\0'))) return;
  throw new Error(`${MANIFEST_FILE} in ${folder} names a file outside of it`);
}
