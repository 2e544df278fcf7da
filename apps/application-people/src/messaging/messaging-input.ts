import { Fault, InterfaceError, validated } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import { IsArray, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { charsetOf, textIn } from '../http/charset.js';
import { queryParameters } from '../http/query-parameters.js';
import { putName, requirePutToken } from '../http/put-request.js';
import { readInput, readParameters } from '../http/request-input.js';
import { wrongParameter } from '../http/wrong-parameter.js';
import { MESSAGE_FORMATS, SERVED_MODALITIES, type MessageFormat } from '../presence-store/presence-record.js';
import { communicationSeed, type Communication } from '../communication/communication-resources.js';
import { IMPORTANCES, type Content, type Importance } from './conversation.js';
import { formatOf, parseDataUri } from './data-uri.js';
import type { DeclineScope } from './invitation.js';
import type { InvitationRequest } from './messaging.js';

const OPERATION_ID = 50;
const TEXT = 250;

class OperationFields {
  @IsOptional()
  @MaxLength(OPERATION_ID)
  @IsString()
  readonly operationId?: string | null;
}

class InvitationFields extends OperationFields {
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
}

class DeclineFields {
  @IsOptional()
  @MaxLength(TEXT)
  @IsString()
  readonly reason?: string | null;
}

export type InputRequest = FastifyRequest<{ Body: Buffer | undefined }>;

/** What a client may say when it invites somebody; names that are not here are nothing to us (web-interface.md, section 8). */
const INVITATION = ['operationId', 'to', 'subject', 'threadId', 'importance', 'message', '_links'];

/** Texts of messages, in bytes of UTF-8. */
export interface MessageBounds {
  readonly maxBytes: number;
}

/** Throws {@link InterfaceError} with the wrong parameters, or {@link Fault} for a message that is too long. */
export function readInvitation(request: InputRequest, web: WebNames, bounds: MessageBounds): InvitationRequest {
  const input = readParameters(request, INVITATION, web);
  const fields = checked(InvitationFields, input);
  const uri = messageIn(input);
  const message = uri === undefined ? undefined : parseDataUri(uri);
  if (uri !== undefined && message === undefined) wrongParameter('message', 'message must be text in a data URI');
  if (message !== undefined) assertShort(message.text, bounds);
  return {
    to: fields.to.trim(),
    operationId: fields.operationId || undefined,
    subject: fields.subject || undefined,
    threadId: fields.threadId || undefined,
    importance: fields.importance ?? 'Normal',
    message: message?.text === '' ? undefined : message,
  };
}

export function readOperationId(request: InputRequest, web: WebNames): string | undefined {
  return checked(OperationFields, readParameters(request, ['operationId'], web)).operationId || undefined;
}

class CommunicationFields {
  @IsOptional()
  @IsIn(SERVED_MODALITIES, { each: true })
  @IsArray()
  readonly supportedModalities?: readonly string[] | null;

  @IsOptional()
  @IsIn(MESSAGE_FORMATS, { each: true })
  @IsArray()
  readonly supportedMessageFormats?: readonly MessageFormat[] | null;
}

/** What is left out stays as it is. Throws {@link InterfaceError} unless it passes on what the resource has to be put with. */
export function readCommunication(request: InputRequest, applicationId: string, web: WebNames): Partial<Communication> {
  const seed = communicationSeed(applicationId);
  const names = ['supportedModalities', 'supportedMessageFormats', putName(seed)];
  const input = readInput({ contentType: request.headers['content-type'], body: request.body }, names, web);
  requirePutToken(input, seed);
  const { supportedModalities, supportedMessageFormats } = checked(CommunicationFields, input);
  return {
    ...(supportedModalities ? { supportedModalities: [...new Set(supportedModalities)] } : {}),
    ...(supportedMessageFormats ? { supportedMessageFormats: [...new Set(supportedMessageFormats)] } : {}),
  };
}

/** Without a reason, or with one of those that say why, it is the person who declines and not one client. */
export function readDecline(request: InputRequest, web: WebNames): DeclineScope {
  const { reason } = checked(DeclineFields, readParameters(request, ['reason'], web));
  return reason?.toLowerCase() === 'local' ? 'Local' : 'Global';
}

/** The text is the whole body, so the operation stands in the query (web-interface.md, section 8, "Send"). */
export function readMessage(
  request: InputRequest,
  bounds: MessageBounds,
): { content: Content; operationId: string | undefined } {
  const { body } = request;
  const contentType = request.headers['content-type'] ?? '';
  const [mediaType = ''] = contentType.split(';', 1);
  const format = formatOf(mediaType.trim().toLowerCase());
  if (format === undefined) throw new Fault('unsupported-media-type', { message: 'Read here: text/plain, text/html.' });
  if (body === undefined || body.length === 0) wrongParameter('message', 'a message needs a text');
  const charset = charsetOf(contentType);
  const text = textIn(charset, body);
  if (text === undefined) {
    const message = `The text is not in ${charset ?? 'UTF-8'}.`;
    throw new InterfaceError(reasons.deserializationFailure, { message });
  }
  assertShort(text, bounds);
  const { operationId } = checked(OperationFields, {
    operationId: queryParameters(request.url).get('operationid')?.at(-1),
  });
  return { content: { format, text }, operationId: operationId || undefined };
}

function checked<T extends object>(type: new () => T, input: object): T {
  return validated(type, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
}

/** As a link, or as a plain property (web-interface.md, section 8, "Start"). */
function messageIn(input: object): string | undefined {
  const fields = new Map<string, unknown>(Object.entries(input));
  const links = new Map<string, unknown>(Object.entries(Object(fields.get('_links'))));
  const [link, second] = [links.get('message')].flat();
  if (second !== undefined) wrongParameter('message', 'message is given more than once');
  const message = fields.get('message') ?? new Map<string, unknown>(Object.entries(Object(link))).get('href');
  if (message === undefined || message === null || message === '') return undefined;
  if (typeof message !== 'string') wrongParameter('message', 'message must be text in a data URI');
  return message;
}

function assertShort(text: string, { maxBytes }: MessageBounds): void {
  if (Buffer.byteLength(text) <= maxBytes) return;
  throw new Fault('too-large', { message: `A message has at most ${maxBytes} bytes.` });
}
