import { Ajv, type ValidateFunction } from 'ajv';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The parts of an AsyncAPI 3 document that are compared with the running system. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, ChannelObject>>;
  readonly operations: Readonly<Record<string, OperationObject>>;
  readonly components: { readonly messages: Readonly<Record<string, MessageObject>>; readonly schemas: object };
}

interface Reference {
  readonly $ref: string;
}

interface ChannelObject {
  /** Null for an address that is not known in advance, such as that of a reply. */
  readonly address: string | null;
  readonly parameters?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly messages: Readonly<Record<string, Reference>>;
  readonly 'x-jetstream'?: { readonly stream: string; readonly maxAgeHours: number };
}

interface OperationObject {
  readonly action: 'send' | 'receive';
  readonly channel: Reference;
  readonly messages?: readonly Reference[];
  readonly reply?: { readonly channel: Reference };
}

interface MessageObject {
  readonly headers?: object;
  /** Left out for messages without headers. */
  readonly payload?: object;
  readonly examples?: readonly { readonly headers?: unknown; readonly payload?: unknown }[];
}

/** One message as a subscriber to all subjects receives it. */
export interface TappedMessage {
  readonly subject: string;
  /** The subject on which the sender waits for a reply; empty for none. */
  readonly reply: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string;
}

const FILE = new URL('../../../../docs/asyncapi.yaml', import.meta.url);

/** `docs/asyncapi.yaml`, in a form in which messages can be checked against it. */
export class BusDescription {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its form is what the specification beside this checks
  readonly document = parse(readFileSync(FILE, 'utf8')) as AsyncApiDocument;
  /** The schemas refer to each other from the root of the document, whose own keywords JSON schema does not know. */
  private readonly ajv = new Ajv({ strict: true, allErrors: true })
    .addVocabulary(Object.keys(this.document))
    .addSchema(this.document, 'asyncapi');
  private readonly validators = new Map<string, ValidateFunction>();

  /** The part of the document that a reference points to. */
  resolve({ $ref }: Reference): unknown {
    const [start, ...keys] = $ref.split('/');
    if (start !== '#') throw new Error(`${$ref} points out of the document`);
    return keys.reduce<unknown>((part, key) => new Map(Object.entries(Object(part))).get(key), this.document);
  }

  validator(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer);
    if (known !== undefined) return known;
    const made = this.ajv.compile({ $ref: `asyncapi${pointer}` });
    this.validators.set(pointer, made);
    return made;
  }

  /** Names of the channels whose address the subject matches. */
  channelsOf(subject: string): string[] {
    return Object.entries(this.document.channels).flatMap(([name, channel]) =>
      addressPattern(channel)?.test(subject) ? name : [],
    );
  }

  /** The channel for replies to messages of this one. */
  replyChannelOf(channelName: string): string | undefined {
    const operations = Object.values(this.document.operations);
    const asking = operations.find(({ channel, reply }) => reply && lastOf(channel) === channelName);
    return asking?.reply && lastOf(asking.reply.channel);
  }

  /** `channel/message` of the message that matches. Throws when none or more than one matches. */
  describe(channelName: string, tapped: TappedMessage): string {
    const faults: string[] = [];
    const fitting = Object.entries(this.document.channels[channelName]?.messages ?? {}).filter(([, reference]) => {
      const fault = this.faultOf(reference, tapped);
      if (fault !== undefined) faults.push(fault);
      return fault === undefined;
    });
    const [first] = fitting;
    if (first !== undefined && fitting.length === 1) return `${channelName}/${first[0]}`;
    const reason = first === undefined ? faults.join('; ') : `is ${fitting.map(([name]) => name).join(' and ')}`;
    throw new Error(`${tapped.subject} ${JSON.stringify(tapped.headers)} ${tapped.payload}: ${reason}`);
  }

  private faultOf({ $ref }: Reference, { headers, payload }: TappedMessage): string | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the reference stands among the messages
    const message = this.resolve({ $ref }) as MessageObject;
    if (message.headers === undefined && Object.keys(headers).length > 0) return `${$ref} has no headers`;
    if (message.headers !== undefined) {
      const fault = this.faultBy(`${$ref}/headers`, headers);
      if (fault !== undefined) return fault;
    }
    if (message.payload === undefined) return payload === '' ? undefined : `${$ref} has no payload`;
    try {
      return this.faultBy(`${$ref}/payload`, JSON.parse(payload));
    } catch (error) {
      return `${$ref}: ${String(error)}`;
    }
  }

  private faultBy(pointer: string, value: unknown): string | undefined {
    const validate = this.validator(pointer);
    return validate(value) ? undefined : `${pointer}: ${this.ajv.errorsText(validate.errors)}`;
  }
}

function lastOf({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Each parameter is one token of the subject. */
export function addressPattern({ address, parameters = {} }: ChannelObject): RegExp | undefined {
  if (address === null) return undefined;
  const source = address
    .split(/[{}]/)
    .map((part, index) => {
      if (index % 2 === 0) return RegExp.escape(part);
      const values = parameters[part]?.enum;
      return values === undefined ? '[^.]+' : `(?:${values.map((value) => RegExp.escape(value)).join('|')})`;
    })
    .join('');
  return new RegExp(`^${source}$`);
}
