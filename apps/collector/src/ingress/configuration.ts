import { createHash } from 'node:crypto';
import { writeConfigurationReply, type ConfigurationRequest } from '@ringdown/xml-schemas';
import type { FrontEndParameters, Parameters } from './front-end-parameters.js';

/** Twelve bytes are far more than the versions that one front end ever sees. */
const VERSION_DIGITS = 24;

/**
 * The settings document for whoever asks (spec, "GetConfiguration"; diagnostics-feed.md, 4.5). It says a version, and
 * whoever asks again with that as `CurrentVersion` is told that nothing has changed. `recordsUrl`: where records go,
 * unless the operator wants them elsewhere.
 */
export function configurationFor(
  { frontEnd, pool, currentVersion }: ConfigurationRequest,
  recordsUrl: string | undefined,
  wanted: FrontEndParameters,
): string {
  const parameters: Parameters = new Map([
    ...(recordsUrl === undefined ? [] : [['submituri', recordsUrl] as const]),
    ...wanted.for(frontEnd, pool),
  ]);
  const version = versionOf(parameters);
  return writeConfigurationReply({
    ...(frontEnd === undefined ? {} : { identifier: frontEnd }),
    currentVersion: version,
    ...(version === currentVersion ? {} : { parameters }),
  });
}

/** Made from what is said, so all collectors of a system give the same, and a change for others changes nothing here. */
function versionOf(parameters: Parameters): string {
  const sorted = [...parameters].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, VERSION_DIGITS);
}
