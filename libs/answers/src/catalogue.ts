import type { COVERAGES, END_REASONS, ENDED_BY, MEDIA_PATHS } from '@ringdown/call-catalogue/choices';
import type { ENDPOINT_ROWS, FieldsOf } from '@ringdown/call-catalogue/fields';
import type { AlertDimension as DimensionOfAlerts, Dimension as CountedField } from '@ringdown/call-catalogue/filters';
import type { MetricUnit as UnitOfMetrics } from '@ringdown/call-catalogue/metrics';
import type { Scale, SetupMetric, StreamMetric as CountedMetric } from '@ringdown/call-catalogue/statistics';

// Rows of the catalogue: `npm run docs:catalogue` writes the schemas of these types, not `npm run docs:types`.
export type AlertDimension = DimensionOfAlerts;
export type Dimension = CountedField;
export type MetricUnit = UnitOfMetrics;
export type EndReason = (typeof END_REASONS)[number] | null;
export type EndedBy = (typeof ENDED_BY)[number] | null;
export type MediaPath = (typeof MEDIA_PATHS)[number] | null;
export type Coverage = (typeof COVERAGES)[number];
export type StreamMetric = CountedMetric | SetupMetric;
export type StatisticsUnit = Scale['unit'];
export type EndpointFields = FieldsOf<typeof ENDPOINT_ROWS>;
