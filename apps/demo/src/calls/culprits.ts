import { SeededRandom } from '@ringdown/generated-calls';
import type { CallPlan, Side } from './call-plan.js';
import { driverOf, people, type Person } from './people.js';
import { BORDER_CONTROLLERS, CODECS, DRIVERS, MORE_TRUNKS } from './places.js';

export const CULPRIT_KINDS = ['headset', 'accessPoint', 'trunk', 'site', 'driver', 'codec', 'hop'] as const;

export type CulpritKind = (typeof CULPRIT_KINDS)[number];

export const CULPRIT_CHOICES = [...CULPRIT_KINDS, 'none', 'random'] as const;

export type CulpritChoice = (typeof CULPRIT_CHOICES)[number];

/** The one thing that is wrong in the company, all the time. */
export interface Culprit {
  readonly kind: CulpritKind;
  readonly value: string;
  /** Of its calls that go wrong. */
  readonly share: number;
}

/** With fewer people, nothing tells the thing from a person. */
const LEAST_PEOPLE = 3;
/** The calls have the seed itself. */
const OTHER_THAN_CALLS = 7_919;
const [LEAST_SHARE, MOST_SHARE] = [0.45, 0.7];

/** The same one for the same seed. Undefined: nothing is wrong. */
export function chooseCulprit(choice: CulpritChoice, seed: number): Culprit | undefined {
  if (choice === 'none') return undefined;
  const random = new SeededRandom(seed * OTHER_THAN_CALLS);
  const kind = choice === 'random' ? random.pick(CULPRIT_KINDS) : choice;
  const values = VALUES[kind]();
  const value = values[random.whole(0, values.length - 1)];
  if (value === undefined) throw new Error(`the company has no ${kind}`);
  return { kind, value, share: random.between(LEAST_SHARE, MOST_SHARE) };
}

export function culpritText(culprit: Culprit | undefined): string {
  if (culprit === undefined) return 'Nothing was wrong in this company.';
  const { kind, value, share } = culprit;
  return `What was wrong: ${kind} ${value}, in ${Math.round(share * 100)} % of its calls.`;
}

/** Those that the calls of several people have in common, and that can be told from all other things. */
const VALUES: Readonly<Record<CulpritKind, () => readonly string[]>> = {
  headset: () => sharedBy(({ headset }) => headset).filter((name) => name !== 'Handset'),
  accessPoint: () => sharedBy(({ accessPoint }) => accessPoint?.bssid),
  trunk: () => MORE_TRUNKS.map(({ name }) => name),
  site: () => sharedBy((person) => insideSite(person)),
  driver: () => DRIVERS,
  codec: () => CODECS.filter((codec, at) => CODECS.indexOf(codec) === at),
  hop: () => BORDER_CONTROLLERS,
};

function sharedBy(valueOf: (person: Person) => string | undefined): readonly string[] {
  const groups = Map.groupBy(people, valueOf);
  return [...groups].flatMap(([value, group]) => (value === undefined || group.length < LEAST_PEOPLE ? [] : value));
}

function insideSite({ site, connection }: Person): string | undefined {
  return connection === 'wired' || connection === 'wifi' ? site : undefined;
}

/** Whether the culprit spoils this call, if it is on it. */
export function isSpoilt({ seed }: Pick<CallPlan, 'seed'>, { share }: Culprit): boolean {
  return seed / 0x1_0000_0000 < share;
}

/** Whether the media of this end go through it: its network, or the codec of the call. */
export function spoilsMedia({ codec }: Pick<CallPlan, 'codec'>, side: Side, { kind, value }: Culprit): boolean {
  if (kind === 'codec') return codec === value;
  if (side.kind !== 'person') return false;
  const { person } = side;
  if (kind === 'accessPoint') return person.accessPoint?.bssid === value;
  if (kind === 'driver') return person.accessPoint !== undefined && driverOf(person) === value;
  return kind === 'site' && insideSite(person) === value;
}
