import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import { LeftOutIf, ReadText, stacked } from '@ringdown/web-server/input';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { SomeOf } from '../http/parameter-fields.js';
import { parseTimeSpan } from '../http/time-span.js';
import {
  MESSAGE_FORMATS,
  NOTE_TYPES,
  PREFERRED,
  SERVED_MODALITIES,
  type AvailableClient,
  type MessageFormat,
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
  message: `Supported modalities: ${SERVED_MODALITIES.join(', ')}.`,
};

/** A time span of a day at most, in milliseconds. */
const TimeSpan = (): PropertyDecorator =>
  stacked(
    LeftOutIf((text) => text === ''),
    ReadText('a time span of a day at most, like 00:05:00', (text) => {
      const ms = parseTimeSpan(text);
      return ms !== undefined && ms >= 1_000 && ms <= MAX_INACTIVE_MS ? ms : undefined;
    }),
  );

/** The parameters with which a user becomes available (web-interface.md, section 6); all of them may be left out. */
export class AvailabilityInput {
  @IsOptional()
  @IsIn(PREFERRED)
  readonly signInAs?: Preferred | null;

  @SomeOf(MODALITIES)
  readonly supportedModalities: readonly string[] = [];

  @SomeOf(MESSAGE_FORMATS)
  readonly supportedMessageFormats: readonly MessageFormat[] = [];

  @IsOptional()
  @MaxLength(250)
  @IsString()
  readonly phoneNumber?: string | null;

  @IsOptional()
  @IsIn(['PhoneAudio', 'VoipAudio'])
  readonly audioPreference?: string | null;

  @TimeSpan()
  readonly inactiveTimeout: number = DEFAULT_INACTIVE_MS;

  /** There is no voice to fall back from; the time is checked so that invalid values are reported. */
  @TimeSpan()
  readonly voipFallbackToPhoneAudioTimeOut?: number;
}

/** Throws {@link InterfaceError} for a modality that is not supported. */
export function availableClient(input: AvailabilityInput): Omit<AvailableClient, 'activeAt' | 'since' | 'device'> {
  const { supportedModalities: modalities, supportedMessageFormats: formats } = input;
  if (modalities.some((modality) => !SERVED_MODALITIES.includes(modality)))
    throw new InterfaceError(modalityNotSupported);
  return {
    modalities,
    messageFormats: formats.length === 0 ? ['Plain'] : MESSAGE_FORMATS.filter((format) => formats.includes(format)),
    phoneNumber: input.phoneNumber ?? null,
    audioPreference: input.audioPreference ?? null,
    inactiveMs: input.inactiveTimeout,
  };
}

export class PresenceInput {
  /** Without a value, what the user has chosen is reset. */
  @IsOptional()
  @IsIn([...PREFERRED, ''])
  readonly availability?: Preferred | '' | null;
}

export class NoteInput {
  @IsOptional()
  @MaxLength(500)
  @IsString()
  readonly message?: string | null;

  @IsOptional()
  @IsIn(NOTE_TYPES)
  readonly type?: Note['type'] | null;
}

/** Null resets the note; so does a blank one. */
export function noteOf(input: NoteInput): Note | null {
  const message = input.message?.trim() ?? '';
  return message === '' ? null : { message, type: input.type ?? 'Personal' };
}

export class LocationInput {
  /** Without a value, or with a blank one, the location is reset. */
  @IsOptional()
  @MaxLength(60)
  @IsString()
  readonly location?: string | null;
}
