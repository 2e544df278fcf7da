import { Fault } from '@ringdown/web-server/errors';
import { LastValue, LeftOutIf, ReadFromAll, ReadText } from '@ringdown/web-server/input';
import { Allow, IsArray, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { MESSAGE_FORMATS, SERVED_MODALITIES, type MessageFormat } from '../presence-store/presence-record.js';
import type { Communication } from '../communication/communication-resources.js';
import { IMPORTANCES, type Content, type Importance } from './conversations/conversation.js';
import { parseDataUri } from './data-uri.js';
import { BY_THE_PERSON, DECLINE_REASONS, declineFor, type Decline } from './decline-reasons.js';
import type { InvitationRequest } from './invitations.js';

const OPERATION_ID = 50;
const TEXT = 250;

export class OperationInput {
  @IsOptional()
  @MaxLength(OPERATION_ID)
  @IsString()
  readonly operationId?: string | null;
}

/** For a request whose body is the text of a message (web-interface.md, section 8, "Send"). */
export class SendQuery {
  @LastValue()
  @IsOptional()
  @MaxLength(OPERATION_ID)
  @IsString()
  readonly operationId?: string;
}

/** The parameters of an invitation; other names are ignored (web-interface.md, section 8). */
export class InvitationInput extends OperationInput {
  @IsNotEmpty()
  @MaxLength(TEXT)
  @IsString()
  readonly to!: string;

  @IsOptional()
  @MaxLength(TEXT)
  @IsString()
  readonly subject?: string | null;

  @IsOptional()
  @MaxLength(TEXT)
  @IsString()
  readonly threadId?: string | null;

  @IsOptional()
  @IsIn(IMPORTANCES)
  readonly importance?: Importance | null;

  /** A data URI: as a plain property, or as a link (web-interface.md, section 8, "Start"). */
  @ValidateBy({
    name: 'isMessage',
    validator: {
      validate: (value) => value !== null,
      defaultMessage: () => 'message must be one text in a data URI',
    },
  })
  @ReadFromAll(messageIn)
  readonly message?: Content;

  /** The name of a guest. */
  @IsOptional()
  @MaxLength(TEXT)
  @IsString()
  readonly anonymousDisplayName?: string | null;

  @Allow()
  readonly _links?: unknown;

  @Allow()
  readonly sessionContext?: unknown;
}

/** Trims the address, and leaves out empty texts. */
export function invitationOf(input: InvitationInput): InvitationRequest {
  return {
    to: input.to.trim(),
    operationId: input.operationId || undefined,
    subject: input.subject || undefined,
    threadId: input.threadId || undefined,
    importance: input.importance ?? 'Normal',
    message: input.message?.text === '' ? undefined : input.message,
    sessionContext: input.sessionContext,
    displayName: input.anonymousDisplayName || undefined,
  };
}

export class CommunicationInput {
  @IsOptional()
  @IsIn(SERVED_MODALITIES, { each: true })
  @IsArray()
  readonly supportedModalities?: readonly string[] | null;

  @IsOptional()
  @IsIn(MESSAGE_FORMATS, { each: true })
  @IsArray()
  readonly supportedMessageFormats?: readonly MessageFormat[] | null;
}

/** Properties that are left out stay as they are. */
export function communicationIn(input: CommunicationInput): Partial<Communication> {
  const { supportedModalities, supportedMessageFormats } = input;
  return {
    ...(supportedModalities ? { supportedModalities: [...new Set(supportedModalities)] } : {}),
    ...(supportedMessageFormats ? { supportedMessageFormats: [...new Set(supportedMessageFormats)] } : {}),
  };
}

export class DeclineInput {
  @LeftOutIf((text) => text === '')
  @ReadText(`one of ${DECLINE_REASONS.join(', ')}`, declineFor, 'choice')
  readonly reason: Decline = BY_THE_PERSON;
}

/** The limit of message texts, in bytes of UTF-8. */
export interface MessageBounds {
  readonly maxBytes: number;
}

/** Throws {@link Fault} `too-large`. The limit is a setting, so no decorator can check it. */
export function assertShort(text: string, { maxBytes }: MessageBounds): void {
  if (Buffer.byteLength(text) <= maxBytes) return;
  throw new Fault('too-large', { message: `A message has at most ${maxBytes} bytes.` });
}

/** Undefined without a message, null for an invalid one. */
function messageIn(input: unknown): Content | null | undefined {
  const fields = inputFields(input);
  const [link, second] = [inputFields(fields.get('_links')).get('message')].flat();
  if (second !== undefined) return null;
  const message = fields.get('message') ?? inputFields(link).get('href');
  if (message === undefined || message === null || message === '') return undefined;
  return typeof message === 'string' ? (parseDataUri(message) ?? null) : null;
}

function inputFields(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(Object(value)));
}
