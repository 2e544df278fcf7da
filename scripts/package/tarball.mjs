// Archives that depend on the content alone, so that everybody can build the same one from a commit.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { quietly, root } from '../packages.cjs';

/** How an archive can be compressed: the end of its name, and the option of tar. The number of threads is fixed because blocks depend on it. */
export const COMPRESSIONS = {
  xz: { end: '.xz', option: '--use-compress-program=xz -T2 -6' },
  gzip: { end: '.gz', option: '--use-compress-program=gzip -n -6' },
  none: { end: '', option: '--no-auto-compress' },
};

/** Seconds since 1970 of the commit, or of SOURCE_DATE_EPOCH (reproducible-builds.org). */
export function sourceTime() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) return Number(given);
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : 0;
}

/** Packs the folder `name` of `parent` into a file: entries sorted, of root, with one time, and with modes that do not depend on the umask. */
export function packFolder({ parent, name, file, compression, time }) {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${time}`, '--format=gnu'];
  const modes = '--mode=u+rwX,go+rX,go-w';
  quietly('tar', 'tar', [...same, modes, COMPRESSIONS[compression].option, '-C', parent, '-cf', file, name]);
}

export async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
