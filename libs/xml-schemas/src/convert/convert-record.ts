import type { DiagnosticsRecord } from '../model/record.js';
import { schemaVersion } from '../model/schema-version.js';
import { toVersionC, type VersionCOptions } from './convert-to-c.js';
import { type FirstVersionOptions, toFirstVersion } from './convert-to-first-version.js';

/** Versions that receivers can request. */
export type OutputVersion = 'D' | 'C' | '1.0';

export type ConversionOptions = VersionCOptions & FirstVersionOptions;

/** From the oldest to the newest; an unlisted version counts as newer. B was never published. */
const VERSIONS = ['1.0', 'A', 'B', 'C', 'D'];

/**
 * The record for a receiver of an older version: none, one or, for 1.0 with its one kind per record, several. Fields
 * without an equivalent in that version are left out. A record that is not newer than that version is not changed: an
 * old record lacks fields that a newer version requires.
 */
export function convertRecord(
  record: DiagnosticsRecord,
  version: OutputVersion,
  options: ConversionOptions = {},
): readonly DiagnosticsRecord[] {
  if (versionRank(schemaVersion(record)) <= versionRank(version)) return [record];
  if (version === 'D') return [{ ...record, version }];
  return version === 'C' ? [toVersionC(record, options)] : toFirstVersion(record, options);
}

function versionRank(version: string): number {
  const rank = VERSIONS.indexOf(version);
  return rank === -1 ? VERSIONS.length : rank;
}
