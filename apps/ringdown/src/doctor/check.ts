import type { Finding } from './finding.js';
import type { System } from './system.js';

/** One thing that the doctor looks at. */
export interface Check {
  readonly name: string;
  /** For the guide: what is a problem or a warning. */
  readonly looksAt: string;
  examine(system: System): Promise<readonly Finding[]> | readonly Finding[];
}
