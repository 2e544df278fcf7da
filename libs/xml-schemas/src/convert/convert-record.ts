import type { DiagnosticsRecord } from '../model/record.js';
import { toVersionC, type VersionCOptions } from './convert-to-c.js';
import { type FirstVersionOptions, toFirstVersion } from './convert-to-first-version.js';

/** Versions that receivers ask for. */
export type OutputVersion = 'D' | 'C' | '1.0';

export type ConversionOptions = VersionCOptions & FirstVersionOptions;

/** From the oldest to the newest; a version that is not here is newer still. B was never published. */
const VERSIONS = ['1.0', 'A', 'B', 'C', 'D'];

/**
 * The record for a receiver of an older version: none, one or, for 1.0 with its one kind a record, several. What a
 * version has no word for is left out. A record that is no newer than what is asked for stays as it is: an old record
 * lacks what a newer version must say.
 */
export function convertRecord(
  record: DiagnosticsRecord,
  version: OutputVersion,
  options: ConversionOptions = {},
): readonly DiagnosticsRecord[] {
  if (rankOf(record.version) <= rankOf(version)) return [record];
  if (version === 'D') return [{ ...record, version }];
  return version === 'C' ? [toVersionC(record, options)] : toFirstVersion(record, options);
}

/** A record without a version is one of 1.0: later versions say which they are. */
function rankOf(version = '1.0'): number {
  const rank = VERSIONS.indexOf(version);
  return rank === -1 ? VERSIONS.length : rank;
}
