import { CoalescedTask } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import { requestFrontEndAnswers } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import { ServiceReports, type ServiceReport } from '@ringdown/service';
import type { Logger } from '@ringdown/observability';
import { isoTime } from '../calls/streams/report-source.js';

/** What one running collector has replied to a front end. */
export interface CollectorAnswers {
  /** The collector, as in the list of services. */
  readonly replica: string;
  readonly host: string;
  /** `Count` of its latest reply; it began at 1 with the collector. */
  readonly count: number;
  /** Records of the front end to which it replied with 503: lost, unless they were sent again. */
  readonly unavailable: number;
  /** When it sent the first and the latest of these replies, by its clock. */
  readonly since: string;
  readonly lastAnswer: string;
}

/** By the requested name; null for all while the bus does not report which collectors run. */
export type AnswersTo = (frontEnd: string) => readonly CollectorAnswers[] | null;

/** Queries the collectors for their replies to front ends: only they know these, and only while they run. */
export class AnswersOfCollectors {
  private readonly services: CoalescedTask<readonly ServiceReport[]>;

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {
    const reports = new ServiceReports(bus);
    this.services = new CoalescedTask(() => reports.all());
  }

  /**
   * The replies of each collector to the front ends, the longest running collectors first. A collector that does not
   * reply to us is omitted.
   */
  async to(frontEnds: readonly string[]): Promise<AnswersTo> {
    const services = await this.services.run().catch(() => undefined);
    if (services === undefined) return () => null;
    const collectors = services.filter(({ service }) => service === 'collector');
    const answers = await Promise.all(collectors.map((collector) => this.of(collector, frontEnds)));
    return (frontEnd) => answers.flatMap((ofOne) => ofOne.get(frontEnd) ?? []);
  }

  private async of(
    { replica, host }: ServiceReport,
    frontEnds: readonly string[],
  ): Promise<ReadonlyMap<string, CollectorAnswers>> {
    const answers = await requestFrontEndAnswers(this.bus, replica, frontEnds).catch((error: unknown) => {
      this.logger.debug(
        { reason: errorReason(error), replica },
        'a collector did not report its replies to front ends',
      );
      return new Map<string, never>();
    });
    return new Map(
      [...answers].map(([frontEnd, { count, unavailable, firstAt, lastAt }]) => [
        frontEnd,
        { replica, host, count, unavailable, since: isoTime(firstAt), lastAnswer: isoTime(lastAt) },
      ]),
    );
  }
}
