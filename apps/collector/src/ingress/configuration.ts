import { createHash } from 'node:crypto';
import { SIP_FAILURES_PATH_END } from '@ringdown/contracts/sip-failures';
import { writeConfigurationReply } from '@ringdown/xml-schemas';
import { RECORD_BATCH } from '@ringdown/xml-schemas/fields';
import type { ConfigurationRequest } from '@ringdown/xml-schemas/record';
import type { FrontEndParameters, Parameters } from './front-end-parameters.js';

/** Twelve bytes are far more than needed for the versions that one front end ever sees. */
const VERSION_DIGITS = 24;
/** Versions of records that the collector reads. A sender that can write several uses the last one that it knows. */
const ACCEPTED_VERSIONS = ['1.0', 'A', 'C', 'D'];

/**
 * The settings document for a front end (diagnostics-feed.md, 4.5). It contains a version,
 * and a request with that version as `CurrentVersion` gets the reply that nothing has changed. `recordsUrl`: where
 * records are posted, unless the operator has configured another URL.
 */
export function configurationFor(
  { frontEnd, pool, currentVersion }: ConfigurationRequest,
  recordsUrl: string | undefined,
  { configured, maxBodyBytes }: { readonly configured: FrontEndParameters; readonly maxBodyBytes: number },
): string {
  const parameters: Parameters = new Map([
    ...(recordsUrl === undefined ? [] : [['submituri', recordsUrl] as const]),
    ...configured.for(frontEnd, pool),
  ]);
  const version = configurationVersion(parameters);
  return writeConfigurationReply({
    ...(frontEnd === undefined ? {} : { identifier: frontEnd }),
    currentVersion: version,
    acceptedVersions: ACCEPTED_VERSIONS,
    acceptedReports: [SIP_FAILURES_PATH_END],
    acceptedBatch: { records: RECORD_BATCH.records, bytes: maxBodyBytes },
    ...(version === currentVersion ? {} : { parameters }),
  });
}

/**
 * Computed from the content, so all collectors of a system return the same, and a change for others has no effect here.
 */
function configurationVersion(parameters: Parameters): string {
  const sorted = [...parameters].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, VERSION_DIGITS);
}
