import { InterfaceError, validated, type ErrorRow } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { wrongParameter } from '../http/wrong-parameter.js';
import { parseTimeSpan } from '../http/time-span.js';
import {
  MESSAGE_FORMATS,
  NOTE_TYPES,
  PREFERRED,
  SERVED_MODALITIES,
  type AvailableClient,
  type Note,
  type Preferred,
} from '../presence-store/presence-record.js';

const MODALITIES = [
  'Messaging',
  'PhoneAudio',
  'Audio',
  'Video',
  'ApplicationSharing',
  'DataCollaboration',
  'PanoramicVideo',
] as const;
const DEFAULT_INACTIVE_MS = 5 * 60 * 1000;
const MAX_INACTIVE_MS = 24 * 60 * 60 * 1000;

const modalityNotSupported: ErrorRow = {
  status: 403,
  code: 'Forbidden',
  subcode: 'OperationNotSupported',
  message: `Clients of this interface can be reached by ${SERVED_MODALITIES.join(' and ')} alone.`,
};

class AvailabilityFields {
  @IsOptional()
  @IsIn(PREFERRED)
  readonly signInAs?: Preferred | null;

  @IsOptional()
  @IsIn(MODALITIES, { each: true })
  readonly supportedModalities?: unknown;

  @IsOptional()
  @IsIn(MESSAGE_FORMATS, { each: true })
  readonly supportedMessageFormats?: unknown;

  @IsOptional()
  @MaxLength(250)
  @IsString()
  readonly phoneNumber?: string | null;

  @IsOptional()
  @IsIn(['PhoneAudio', 'VoipAudio'])
  readonly audioPreference?: string | null;

  @IsOptional()
  @IsString()
  readonly inactiveTimeout?: string | null;

  @IsOptional()
  @IsString()
  readonly voipFallbackToPhoneAudioTimeOut?: string | null;
}

export const AVAILABILITY_NAMES = [
  'signInAs',
  'supportedModalities',
  'supportedMessageFormats',
  'phoneNumber',
  'audioPreference',
  'inactiveTimeout',
  'voipFallbackToPhoneAudioTimeOut',
];

export interface AvailabilityInput {
  readonly signInAs: Preferred | undefined;
  readonly client: Omit<AvailableClient, 'activeAt' | 'since' | 'device'>;
}

/** What a client says when its user makes himself available (web-interface.md, section 6); all of it may be left out. */
export function readAvailability(input: Record<string, unknown>): AvailabilityInput {
  const fields = validated(AvailabilityFields, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
  const modalities = listOf('supportedModalities', fields.supportedModalities);
  if (modalities.some((modality) => !SERVED_MODALITIES.includes(modality)))
    throw new InterfaceError(modalityNotSupported);
  const formats = listOf('supportedMessageFormats', fields.supportedMessageFormats);
  const messageFormats = MESSAGE_FORMATS.filter((format) => formats.includes(format));
  // There is no voice that could fall back; the time is checked so that nonsense is noticed.
  readTimeSpan('voipFallbackToPhoneAudioTimeOut', fields.voipFallbackToPhoneAudioTimeOut);
  return {
    signInAs: fields.signInAs ?? undefined,
    client: {
      modalities,
      messageFormats: messageFormats.length === 0 ? ['Plain'] : messageFormats,
      phoneNumber: fields.phoneNumber ?? null,
      audioPreference: fields.audioPreference ?? null,
      inactiveMs: readTimeSpan('inactiveTimeout', fields.inactiveTimeout) ?? DEFAULT_INACTIVE_MS,
    },
  };
}

class PresenceFields {
  @IsOptional()
  @IsIn([...PREFERRED, ''])
  readonly availability?: Preferred | '' | null;
}

/** Null resets what the user has chosen. */
export function readPreferred(input: Record<string, unknown>): Preferred | null {
  const { availability } = validated(PresenceFields, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
  return availability || null;
}

class NoteFields {
  @IsOptional()
  @MaxLength(500)
  @IsString()
  readonly message?: string | null;

  @IsOptional()
  @IsIn(NOTE_TYPES)
  readonly type?: Note['type'] | null;
}

/** Null resets the note; so does a blank one. */
export function readNote(input: Record<string, unknown>): Note | null {
  const fields = validated(NoteFields, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
  const message = fields.message?.trim() ?? '';
  return message === '' ? null : { message, type: fields.type ?? 'Personal' };
}

class LocationFields {
  @IsOptional()
  @MaxLength(60)
  @IsString()
  readonly location?: string | null;
}

export function readLocation(input: Record<string, unknown>): string | null {
  const { location } = validated(LocationFields, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
  return location?.trim() || null;
}

/** One value may stand for a list of one: a query cannot tell them apart. */
function listOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.map((item) => (typeof item === 'string' ? item : wrongParameter(name, `${name} must be texts`)));
  return [...new Set(texts)];
}

function readTimeSpan(name: string, text: string | null | undefined): number | undefined {
  if (text === undefined || text === null || text === '') return undefined;
  const ms = parseTimeSpan(text);
  if (ms !== undefined && ms >= 1_000 && ms <= MAX_INACTIVE_MS) return ms;
  return wrongParameter(name, `${name} must be a time span of a day at most, like 00:05:00`);
}
