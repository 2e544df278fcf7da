import { InterfaceError } from '@ringdown/web-server';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { principalOf } from '@ringdown/token-validation';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { writeRecord } from '@ringdown/xml-schemas';
import type { FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import { HidingInTurns, type HideOne } from '../hiding/hiding-in-turns.js';
import type { CallWithRecords, StoredRecord } from '../store/call-queries.js';
import { OneOf } from './query-fields.js';

export type Identities = 'hidden' | 'shown';

/** Whether users are hidden behind tokens. */
export const IdentitiesParameter = (): PropertyDecorator => OneOf(['hidden', 'shown']);

/** Parameters of routes that have no others. */
export class IdentitiesQuery {
  @IdentitiesParameter()
  identities?: Identities;
}

/** A call as one operator gets it. */
export type ShownCall = CallWithRecords['call'] & Omit<CallWithRecords, 'call'>;

/**
 * Who sees users: operators with the role `reveal`, and nobody who asks for `hidden`. What is not asked for is what the
 * role allows.
 */
export class IdentityViews {
  constructor(
    private readonly hiding: IdentityHiding,
    private readonly profile: VendorProfile,
    /** How long the hiding of one call or record may take. */
    private readonly limitMs: number,
  ) {}

  /** For what is compared with what operators see who may not see users. */
  get hidden(): IdentityView {
    return new IdentityView(this.hiding, this.profile, this.limitMs);
  }

  /** Throws an {@link InterfaceError} to somebody who wants to see more than the role allows. */
  of(request: FastifyRequest, asked?: Identities): IdentityView {
    return new IdentityView(isShown(request, asked) ? undefined : this.hiding, this.profile, this.limitMs);
  }
}

/** Throws an {@link InterfaceError} to somebody who wants to see more than the role allows. */
export function isShown(request: FastifyRequest, asked?: Identities): boolean {
  const may = principalOf(request).roles.includes('reveal');
  if (asked === 'shown' && !may) throw new InterfaceError(queryErrors.mayNotReveal);
  return may && asked !== 'hidden';
}

/** What one answer shows of users. Others get their turn while it is made ready. */
export class IdentityView {
  private readonly inTurns: HidingInTurns | undefined;

  constructor(
    private readonly hiding: Pick<IdentityHiding, 'data' | 'field' | 'outline'> | undefined,
    private readonly profile: VendorProfile,
    limitMs: number,
  ) {
    this.inTurns = hiding && new HidingInTurns({ hiding, limitMs });
  }

  get isShown(): boolean {
    return this.hiding === undefined;
  }

  async all<T>(items: readonly T[]): Promise<readonly T[]> {
    return this.inTurns?.all(items) ?? items;
  }

  /** The first of a page: where there is much to hide, the page ends sooner. */
  async page<T>(items: readonly T[]): Promise<readonly T[]> {
    return this.inTurns?.forAnswer(items, (item, hide) => hide(item)) ?? items;
  }

  /** The name of a front end. */
  frontEnd(name: string): string {
    return this.hiding?.field(name, 'frontEnd') ?? name;
  }

  /** With as many of its records as can be made ready for one answer. */
  async call({ call, linked, records, recordsLeftOut }: CallWithRecords): Promise<ShownCall> {
    const { inTurns } = this;
    if (inTurns === undefined) return { ...call, linked, records, recordsLeftOut };
    const [about] = await inTurns.all([call]);
    const [others] = await inTurns.all([linked]);
    if (about === undefined || others === undefined) throw new Error('nothing came of hiding users in one call');
    const ready = await inTurns.forAnswer(records, (record, hide) => this.record(record, hide));
    const leftOut = recordsLeftOut + records.length - ready.length;
    return { ...about, linked: others, records: ready, recordsLeftOut: leftOut };
  }

  /** Hidden, a record is written anew out of what was read from it: only of that is it known where users stand. */
  private record({ content, ...record }: StoredRecord, hide: HideOne): StoredRecord {
    if (content === undefined) throw new Error(`the record ${record.id} was read without its content`);
    return { ...hide(record), id: record.id, xml: writeRecord(hide(content), this.profile) };
  }
}
