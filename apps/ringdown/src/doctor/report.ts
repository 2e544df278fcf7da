import { errorReason } from '@ringdown/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Check } from './check.js';
import { unknown, type Finding } from './finding.js';
import type { System } from './system.js';

export interface Examined {
  readonly check: string;
  readonly findings: readonly Finding[];
}

/** For one check. */
const LIMIT_MS = 5_000;
const WIDTH = 'reachability'.length + 2;

/** All checks side by side; one that fails or takes too long is a finding of its own. */
export function examine(checks: readonly Check[], system: System, limitMs = LIMIT_MS): Promise<readonly Examined[]> {
  return Promise.all(
    checks.map(async (check) => {
      const late = sleep(limitMs, undefined, { ref: false }).then(() => {
        throw new Error(`it took longer than ${limitMs / 1_000} seconds`);
      });
      try {
        return { check: check.name, findings: await Promise.race([(async () => check.examine(system))(), late]) };
      } catch (error) {
        return {
          check: check.name,
          findings: [unknown(`could not be examined: ${errorReason(error)}`, 'run it again, as root')],
        };
      }
    }),
  );
}

/** For people: a line for each finding, and its remedy below. */
export function reportText(examined: readonly Examined[]): string {
  const lines = examined.flatMap(({ check, findings }) =>
    findings.flatMap((finding) => [
      `${finding.state.padEnd('warning'.length)}  ${check.padEnd(WIDTH)}${finding.text}`,
      ...(finding.state === 'ok' ? [] : [`${' '.repeat('warning'.length + 2 + WIDTH)}→ ${finding.remedy}`]),
    ]),
  );
  return `${lines.join('\n')}\n\n${summary(examined)}\n`;
}

/** One line for each: `state: text → remedy`. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  return findings.map((finding) =>
    [`${finding.state}: ${finding.text}`, ...(finding.state === 'ok' ? [] : [finding.remedy])].join(' → '),
  );
}

function summary(examined: readonly Examined[]): string {
  const count = (state: Finding['state']): number =>
    found(examined).filter((finding) => finding.state === state).length;
  const counted = (state: 'problem' | 'warning'): string => `${count(state)} ${state}${count(state) === 1 ? '' : 's'}`;
  return `${counted('problem')}, ${counted('warning')}, ${count('unknown')} that cannot be told from here`;
}

function found(examined: readonly Examined[]): readonly Finding[] {
  return examined.flatMap(({ findings }) => findings);
}

export function reportJson(examined: readonly Examined[]): string {
  const rows = examined.flatMap(({ check, findings }) => findings.map((finding) => ({ check, ...finding })));
  return `${JSON.stringify(rows, undefined, 2)}\n`;
}

/** 1: something will not work. */
export function exitCode(examined: readonly Examined[]): 0 | 1 {
  return found(examined).some(({ state }) => state === 'problem') ? 1 : 0;
}
