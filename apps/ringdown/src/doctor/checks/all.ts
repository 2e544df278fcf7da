import type { Check } from '../check.js';
import { CERTIFICATE } from './certificate.js';
import { CLOCK } from './clock.js';
import { DISK } from './disk.js';
import { FRONT_ENDS } from './front-ends.js';
import { MEMORY } from './memory.js';
import { NAMES } from './names.js';
import { PORTS } from './ports.js';
import { PROGRAMS } from './programs.js';
import { REACHABILITY } from './reachability.js';
import { RIGHTS } from './rights.js';
import { SETTINGS } from './settings.js';
import { STATE } from './state.js';

/** In the order in which one is mended after the other. */
export const CHECKS: readonly Check[] = [
  SETTINGS,
  RIGHTS,
  PORTS,
  DISK,
  MEMORY,
  CLOCK,
  PROGRAMS,
  NAMES,
  CERTIFICATE,
  FRONT_ENDS,
  REACHABILITY,
  STATE,
];
