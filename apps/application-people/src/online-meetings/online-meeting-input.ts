import { ACCESS_LEVELS, type AccessLevel, type MeetingContent } from '@ringdown/meetings';
import { LeftOutIf, ReadText } from '@ringdown/web-server/input';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

const MAX_TIME_LENGTH = 40;

/** The parameters of a meeting; all of them may be left out (web-interface.md, sections 2 and 4). */
export class OnlineMeetingInput {
  @IsOptional()
  @MaxLength(250)
  @IsString()
  readonly subject?: string | null;

  @IsOptional()
  @MaxLength(4_000)
  @IsString()
  readonly description?: string | null;

  /** Open to guests unless its organiser chooses otherwise. */
  @IsOptional()
  @IsIn(ACCESS_LEVELS)
  readonly accessLevel?: AccessLevel | null;

  /** Milliseconds since 1970. */
  @LeftOutIf((text) => text === '')
  @ReadText('a future time, like 2026-01-02T03:04:05Z', readTimeToCome)
  readonly expirationTime?: number;
}

/** The content of a meeting after this input: what is left out stays, an empty text removes. */
export function updatedMeetingContent(input: OnlineMeetingInput, before: MeetingContent): MeetingContent {
  const subject = input.subject ?? before.subject;
  const description = input.description ?? before.description;
  const expiresAt = input.expirationTime ?? before.expiresAt;
  return {
    accessLevel: input.accessLevel ?? before.accessLevel,
    ...(subject ? { subject } : {}),
    ...(description ? { description } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** Clients write times in two forms (web-interface.md, section 9). */
function readTimeToCome(text: string): number | undefined {
  if (text.length > MAX_TIME_LENGTH) return undefined;
  const [, milliseconds] = /^\/Date\((\d{1,15})\)\/$/.exec(text) ?? [];
  const time = milliseconds === undefined ? readIsoTime(text) : Number(milliseconds);
  return time > Date.now() ? time : undefined;
}

function readIsoTime(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}
