import { callOfRecords, suspectCalls } from '@ringdown/aggregator/test/suspect-calls.js';
import {
  beginnings,
  demoFrontEnds,
  planCalls,
  plannedRecords,
  storyOfCulprit,
  type Culprit,
} from '@ringdown/demo/calls';
import { haveOnePerson, rankSuspects, suspectOrder, type Ranking, type Suspect } from '@ringdown/quality/suspects';
import { readFileSync } from 'node:fs';

type Score = Parameters<typeof rankSuspects>[1]['score'];

export interface CulpritDay {
  readonly calls: number;
  readonly suspects: readonly Suspect[];
}

/** A Wednesday at 16:00, by the clock of this machine. */
const TO = new Date(2026, 2, 4, 16, 0).getTime();
const DAY_MS = 86_400_000;

const DIMENSIONS = {
  headset: 'device',
  accessPoint: 'bssid',
  trunk: 'trunk',
  site: 'site',
  driver: 'driver',
  codec: 'codec',
  hop: 'hop',
} as const;

/** The calls of a day of the demo's company in memory, and who is suspected by them. */
export function culpritDay(seed: number, culprit: Culprit | undefined, score?: Score): CulpritDay {
  const story = storyOfCulprit(culprit);
  const planning = { frontEnds: demoFrontEnds(3), story, isLive: false, detailsFrom: TO };
  const plans = beginnings({ seed, from: TO - DAY_MS, to: TO, story }).flatMap((each) => planCalls(each, planning));
  const calls = plans.map((plan) => callOfRecords(plannedRecords(plan, story)));
  const source = suspectCalls(calls, demoSites());
  const { suspects }: Ranking = rankSuspects(source, { limit: 10, ...(score && { score }) });
  const withPersons = suspects.map((suspect) => {
    const troubled = calls.filter((_, n) => {
      const counted = source.calls[n];
      return counted?.facts.includes(suspect.fact) === true && counted.problems[suspect.problem] === true;
    });
    return {
      ...suspect,
      onePerson: haveOnePerson(troubled.map((call) => call.parties.flatMap(({ uri }) => uri ?? []))),
    };
  });
  return { calls: calls.length, suspects: suspectOrder(withPersons) };
}

/** Whether the first suspect is the culprit: under its name, or under that of something with the same calls. */
export function isFirst({ suspects: [first] }: CulpritDay, { kind, value }: Culprit): boolean {
  if (first === undefined) return false;
  const wanted = kind === 'site' ? value : value.toLowerCase();
  return [first, ...first.same].some(
    (each) => each.dimension === DIMENSIONS[kind] && (each.value === value || each.value === wanted),
  );
}

function demoSites(): Parameters<typeof suspectCalls>[1] {
  const file = new URL('../../../demo/sites.json', import.meta.url);
  const sites: Readonly<Record<string, readonly string[]>> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(sites).flatMap(([site, nets]) => nets.map((net) => ({ site, net })));
}
