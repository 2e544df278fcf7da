export { loadThresholds } from '../load-thresholds.js';
export {
  defaultProfiles,
  profileFor,
  type MediumThresholds,
  type ProfileName,
  type ThresholdProfiles,
} from '../thresholds.js';
