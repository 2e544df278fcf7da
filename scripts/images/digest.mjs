// The digest that a registry has for the name of an image now.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

const DIGEST = /@sha256:[\da-f]{64}$/;
const MOST = 16 * 1_024 * 1_024;

/** `node:24` as `node:24@sha256:…`, for all processors; a name that has its digest stays. Throws an Error with the reason of the registry. */
export function pinned(reference) {
  if (DIGEST.test(reference)) return reference;
  const args = ['inspect', '--raw', `docker://${reference}`];
  const { status, stdout, stderr, error } = spawnSync('skopeo', args, { maxBuffer: MOST });
  if (status !== 0) throw new Error(`${reference}: ${error?.message ?? stderr.toString().trim()}`);
  // By its definition: that of the bytes of the manifest, which is a list where there are several processors.
  return `${reference}@sha256:${createHash('sha256').update(stdout).digest('hex')}`;
}
