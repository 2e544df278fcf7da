import { InterfaceError } from '@ringdown/web-server/errors';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { requestPrincipal } from '@ringdown/token-validation';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { writeRecord } from '@ringdown/xml-schemas';
import type { FastifyRequest } from 'fastify';
import { queryErrors } from '../../errors.js';
import { TimeLimitedHiding, type HideOne } from './time-limited-hiding.js';
import type { CallWithRecords } from '../../store/calls/call-queries.js';
import type { StoredRecord } from '../../store/calls/stored-records.js';
import { OneOf } from '../filter/query-fields.js';

export type Identities = 'hidden' | 'shown';

/** Whether users are hidden behind tokens. */
export const IdentitiesParameter = (): PropertyDecorator => OneOf(['hidden', 'shown']);

/** Parameters of routes that have no other parameters. */
export class IdentitiesQuery {
  @IdentitiesParameter()
  identities?: Identities;
}

/** A call as one operator sees it. */
export type ShownCall = CallWithRecords['call'] & Omit<CallWithRecords, 'call'>;

/**
 * Who sees users: operators with the role `reveal`, unless they request `hidden`. Without a request, the role decides.
 */
export class IdentityViews {
  constructor(
    private readonly hiding: IdentityHiding,
    private readonly profile: VendorProfile,
    /** The longest time for hiding the users of one call or record. */
    private readonly limitMs: number,
  ) {}

  /** For values that are compared with what operators without access to users see. */
  get hidden(): IdentityView {
    return new IdentityView(this.hiding, this.profile, this.limitMs);
  }

  /** Throws an {@link InterfaceError} when the caller requests to see more than the role allows. */
  of(request: FastifyRequest, requested?: Identities): IdentityView {
    return new IdentityView(isShown(request, requested) ? undefined : this.hiding, this.profile, this.limitMs);
  }
}

/** Throws an {@link InterfaceError} when the caller requests to see more than the role allows. */
export function isShown(request: FastifyRequest, requested?: Identities): boolean {
  const may = requestPrincipal(request).roles.includes('reveal');
  if (requested === 'shown' && !may) throw new InterfaceError(queryErrors.mayNotReveal);
  return may && requested !== 'hidden';
}

/** What one response shows of users. Other tasks run while it is prepared. */
export class IdentityView {
  private readonly limitedHiding: TimeLimitedHiding | undefined;

  constructor(
    private readonly hiding: Pick<IdentityHiding, 'data' | 'field' | 'outline'> | undefined,
    private readonly profile: VendorProfile,
    limitMs: number,
  ) {
    this.limitedHiding = hiding && new TimeLimitedHiding({ hiding, limitMs });
  }

  get isShown(): boolean {
    return this.hiding === undefined;
  }

  async all<T>(items: readonly T[]): Promise<readonly T[]> {
    return this.limitedHiding?.all(items) ?? items;
  }

  /** The first items of a page: when there is much to hide, the page ends sooner. */
  async page<T>(items: readonly T[]): Promise<readonly T[]> {
    return this.limitedHiding?.forResponse(items, (item, hide) => hide(item)) ?? items;
  }

  /** The name of a front end. */
  frontEnd(name: string): string {
    return this.hiding?.field(name, 'frontEnd') ?? name;
  }

  /** With as many of its records as can be prepared for one response. */
  async call({ call, linked, records, recordsLeftOut }: CallWithRecords): Promise<ShownCall> {
    const { limitedHiding } = this;
    if (limitedHiding === undefined) return { ...call, linked, records, recordsLeftOut };
    const [about] = await limitedHiding.all([call]);
    const [others] = await limitedHiding.all([linked]);
    if (about === undefined || others === undefined) throw new Error('hiding users in one call returned no result');
    const ready = await limitedHiding.forResponse(records, (record, hide) => this.record(record, hide));
    const leftOut = recordsLeftOut + records.length - ready.length;
    return { ...about, linked: others, records: ready, recordsLeftOut: leftOut };
  }

  /** A hidden record is written again from its parsed content: only there is it known which texts name users. */
  private record({ content, ...record }: StoredRecord, hide: HideOne): StoredRecord {
    if (content === undefined) throw new Error(`the record ${record.id} was read without its content`);
    return { ...hide(record), id: record.id, xml: writeRecord(hide(content), this.profile) };
  }
}
