export const MESSAGE_FORMATS = ['Plain', 'Html'] as const;
export type MessageFormat = (typeof MESSAGE_FORMATS)[number];

/** What a user may choose to be shown as (web-interface.md, section 6). */
export const PREFERRED = ['Online', 'Busy', 'DoNotDisturb', 'BeRightBack', 'Away', 'Offwork'] as const;
export type Preferred = (typeof PREFERRED)[number];

export const NOTE_TYPES = ['Personal', 'OutOfOffice'] as const;

export interface Note {
  readonly message: string;
  readonly type: (typeof NOTE_TYPES)[number];
}

/** The modalities by which a client can be reached here; media of a call go to a client that supports SIP. */
export const SERVED_MODALITIES: readonly string[] = ['Messaging', 'PhoneAudio'];

/** A client in which its user has become available. */
export interface AvailableClient {
  readonly device: 'Web' | 'Mobile';
  readonly modalities: readonly string[];
  readonly messageFormats: readonly MessageFormat[];
  readonly phoneNumber: string | null;
  readonly audioPreference: string | null;
  /** After this time without activity it is idle, milliseconds. */
  readonly inactiveMs: number;
  /** Milliseconds since 1970. */
  readonly activeAt: number;
  /** Version of the record with which it became available. */
  readonly since: number;
}

export const AVAILABILITIES = [
  'Online',
  'Busy',
  'DoNotDisturb',
  'BeRightBack',
  'Away',
  'Offline',
  'IdleOnline',
  'IdleBusy',
] as const;
export type Availability = (typeof AVAILABILITIES)[number];

export interface Presence {
  readonly availability: Availability;
  /** A token that clients know, or text for people. */
  readonly activity: string;
  readonly device: 'Web' | 'Mobile' | 'Unknown';
}

/** The parts of a presence that watchers are notified of, each by itself. */
export const ASPECTS = ['presence', 'note', 'location', 'modalities'] as const;
export type Aspect = (typeof ASPECTS)[number];

/** The whole state of the presence of one person, as it is stored. Every change makes a new one. */
export interface PresenceRecord {
  readonly v: 1;
  /** `sip:user@domain`, lower case. */
  readonly sipAddress: string;
  readonly username: string;
  /** By the id of the application. */
  readonly clients: Readonly<Record<string, AvailableClient>>;
  /** Null when the user has chosen nothing. */
  readonly preferred: Preferred | null;
  readonly note: Note | null;
  readonly location: string | null;
  /** Milliseconds since 1970; null when the user never was active here. */
  readonly activeAt: number | null;
  /** When it was taken over from another address of the user, milliseconds since 1970; absent when it never was. */
  readonly movedAt?: number;
  /** Keys of the calls that the person is in, as the aggregator reports them. */
  readonly calls: readonly string[];
  /** What watchers saw last. */
  readonly shown: Presence;
  /** Grows with every change that watchers have to be notified of. */
  readonly version: number;
  /** The version that watchers were notified of. */
  readonly told: number;
  /** The version in which each aspect changed last. */
  readonly changed: Readonly<Partial<Record<Aspect, number>>>;
  /** When a replica last started to notify watchers, milliseconds since 1970. */
  readonly tellingSince: number;
}

export const OFFLINE: Presence = { availability: 'Offline', activity: 'Offline', device: 'Unknown' };

export function newRecord({ sipAddress, username }: { sipAddress: string; username: string }): PresenceRecord {
  return {
    v: 1,
    sipAddress,
    username,
    clients: {},
    preferred: null,
    note: null,
    location: null,
    activeAt: null,
    calls: [],
    shown: OFFLINE,
    version: 0,
    told: 0,
    changed: {},
    tellingSince: 0,
  };
}

/** Only this service writes here; the version implies the form of everything else. */
export function parsePresenceRecord(value: unknown): PresenceRecord {
  if (isPresenceRecord(value)) return value;
  throw new Error('a stored presence has an unknown format');
}

function isPresenceRecord(value: unknown): value is PresenceRecord {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === 1 && 'clients' in value;
}
