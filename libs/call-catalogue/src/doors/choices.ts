export {
  AUDIO,
  AUDIO_EVIDENCE,
  CALLERS_OUTCOMES,
  COVERAGES,
  END_REASONS,
  ENDED_BY,
  MEDIA_PATHS,
} from '../fields/choices.js';
