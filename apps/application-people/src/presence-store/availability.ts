import type { Availability, AvailableClient, Presence, PresenceRecord } from './presence-record.js';
import { OFFLINE } from './presence-record.js';

export interface PresenceRules {
  /** After this time of being idle a person is away, milliseconds. */
  readonly awayMs: number;
}

/** Texts for people; where clients know a token, the token is used (web-interface.md, section 5). */
const ACTIVITIES: Readonly<Record<Availability, string>> = {
  Online: 'Available',
  Busy: 'Busy',
  DoNotDisturb: 'Do not disturb',
  BeRightBack: 'Be right back',
  Away: 'Away',
  Offline: 'Offline',
  IdleOnline: 'Inactive',
  IdleBusy: 'Inactive',
};

/** What others see of a person at this time. */
export function shownPresence(record: PresenceRecord, now: number, rules: PresenceRules): Presence {
  const clients = Object.values(record.clients);
  const newest = newestClient(clients);
  const device = newest?.device ?? OFFLINE.device;
  const undisturbed = newest !== undefined && record.preferred === 'DoNotDisturb';
  // Also without a client here: a telephone signs in elsewhere.
  if (record.calls.length > 0 && !undisturbed) return { availability: 'Busy', activity: 'on-the-phone', device };
  if (newest === undefined) return OFFLINE;
  if (record.preferred === 'Offwork') return { availability: 'Away', activity: 'off-work', device };
  const availability = afterInactivity(record.preferred ?? 'Online', idleOf(clients, now, rules));
  return { availability, activity: ACTIVITIES[availability], device };
}

type Idleness = 'active' | 'idle' | 'away';

/** A person is as active as the most active of their clients. */
function idleOf(clients: readonly AvailableClient[], now: number, { awayMs }: PresenceRules): Idleness {
  const forMs = Math.min(...clients.map(({ activeAt, inactiveMs }) => now - activeAt - inactiveMs));
  if (forMs < 0) return 'active';
  return forMs < awayMs ? 'idle' : 'away';
}

function afterInactivity(chosen: Exclude<Availability, 'Offline'>, idleness: Idleness): Availability {
  if (idleness === 'active' || (chosen !== 'Online' && chosen !== 'Busy')) return chosen;
  return idleness === 'away' ? 'Away' : `Idle${chosen}`;
}

function newestClient(clients: readonly AvailableClient[]): AvailableClient | undefined {
  return clients.reduce<AvailableClient | undefined>(
    (newest, client) => (newest === undefined || client.activeAt > newest.activeAt ? client : newest),
    undefined,
  );
}
