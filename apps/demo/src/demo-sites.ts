import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SITE_SUBNETS } from './calls/places.js';

/** Writes the sites of the demo into the file that `npm start` has made and follows, unless it has sites already. */
export function writeSites(file: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8').trim() !== '{}') return;
  writeFileSync(file, `${JSON.stringify(SITE_SUBNETS, null, 2)}\n`);
}
