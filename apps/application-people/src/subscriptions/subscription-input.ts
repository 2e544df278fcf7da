import { canonicalName } from '@ringdown/directory';
import { FirstValue, ReadAs } from '@ringdown/web-server/input';
import { IsDefined, IsNotEmpty, IsOptional, IsString, ValidateIf } from 'class-validator';

const MINUTES = { min: 10, max: 30 } as const;
const MAX_ADDRESS = 250;
const ADDRESS = /^(?:sip:)?[^\s@:;<>]+@[^\s@:;<>]+$/i;

/** Minutes, as a number or as text: they are often in the query (web-interface.md, section 5). */
const Minutes = (): PropertyDecorator =>
  ReadAs(`a whole number of minutes from ${MINUTES.min} to ${MINUTES.max}`, (value) => {
    const text = typeof value === 'number' ? String(value) : value;
    const minutes = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return minutes >= MINUTES.min && minutes <= MINUTES.max ? minutes : undefined;
  });

/** SIP addresses with their scheme, in their canonical form, each once; a single one counts as a list of one. */
const Addresses = (): PropertyDecorator =>
  ReadAs('one or several SIP addresses', (value) => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const addresses = list.map((item) => addressIn(item));
    return addresses.length === 0 || addresses.includes(undefined) ? undefined : [...new Set(addresses)];
  });

function addressIn(value: unknown): string | undefined {
  const text = typeof value === 'string' ? canonicalName(value.trim()) : '';
  if (text.length > MAX_ADDRESS || !ADDRESS.test(text)) return undefined;
  return text.startsWith('sip:') ? text : `sip:${text}`;
}

export class ExtensionInput {
  @Minutes()
  readonly duration: number = MINUTES.min;
}

/** A subscription to people by their addresses, or to a group. */
export class SubscriptionInput extends ExtensionInput {
  @IsOptional()
  @IsNotEmpty()
  @IsString()
  readonly groupId?: string | null;

  @ValidateIf(({ groupId }: SubscriptionInput) => groupId === undefined || groupId === null)
  @IsDefined({ message: 'uris must not be empty' })
  @Addresses()
  readonly uris!: readonly string[];
}

export class MembersInput {
  @IsNotEmpty()
  @IsString()
  readonly presenceSubscriptionId!: string;

  @IsDefined({ message: 'contactUris must not be empty' })
  @Addresses()
  readonly contactUris!: readonly string[];
}

export class MembershipsQuery {
  @FirstValue()
  @IsOptional()
  @IsString()
  readonly presenceSubscriptionId?: string;
}
