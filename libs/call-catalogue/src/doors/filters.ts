export { CALL_FILTERS } from '../fields/call-filters.js';
export {
  CALL_RANGES,
  RANGE_LIMITS,
  RANGE_NAMES,
  rangeParameters,
  type RangeName,
  type RangeReading,
} from '../fields/call-ranges.js';
export {
  ALERT_DIMENSIONS,
  DIMENSIONS,
  LOAD_DIMENSIONS,
  SUSPECT_DIMENSIONS,
  type AlertDimension,
  type Dimension,
  type LoadDimension,
  type Place,
  type SuspectDimension,
} from '../fields/dimensions.js';
export type { FilterHiding, FilterRow } from '../fields/filter-row.js';
