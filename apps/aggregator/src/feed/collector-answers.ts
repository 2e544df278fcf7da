import { CoalescedTask } from '@ringdown/concurrency';
import { reasonOf } from '@ringdown/errors';
import { askFrontEndAnswers } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import { ServiceReports, type ServiceReport } from '@ringdown/service';
import type { Logger } from '@ringdown/observability';
import { isoTime } from '../calls/report-source.js';

/** What one running collector has answered to a front end. */
export interface CollectorAnswers {
  /** Of the collector, as in the list of services. */
  readonly replica: string;
  readonly host: string;
  /** `Count` of its latest reply; it began at 1 with the collector. */
  readonly count: number;
  /** Records of the front end that it answered with 503: lost, unless they were sent again. */
  readonly unavailable: number;
  /** When it gave the first and the latest of these answers, by its clock. */
  readonly since: string;
  readonly lastAnswer: string;
}

/** By the name that was asked for; null for all while the bus does not tell which collectors there are. */
export type AnswersTo = (frontEnd: string) => readonly CollectorAnswers[] | null;

/** Asks the collectors what they have answered to front ends: only they know it, and it goes with them. */
export class AnswersOfCollectors {
  private readonly services: CoalescedTask<readonly ServiceReport[]>;

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {
    const reports = new ServiceReports(bus);
    this.services = new CoalescedTask(() => reports.all());
  }

  /** Of each collector that has answered it, those first that run longest. One that does not answer us is left out. */
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
    const answers = await askFrontEndAnswers(this.bus, replica, frontEnds).catch((error: unknown) => {
      this.logger.debug({ reason: reasonOf(error), replica }, 'a collector does not tell what it has answered');
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
