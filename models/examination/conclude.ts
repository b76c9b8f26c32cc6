import type { ProtocolSettings } from '#lib/prompts/codec.ts';
import type { ExaminationReport, Finding } from '#lib/wire/examination.ts';
import { type ModelUse, modelUseSchema } from '#lib/wire/model-config.ts';

/** The results of an examination. */
interface Evidence {
  findings: readonly Finding[];
  /**
   * The settings for describing tools in the prompt with which the model's call in text could be read; undefined if there were
   * none, or that was not tried.
   */
  protocol: ProtocolSettings | undefined;
}

/**
 * The part of an examination's report that follows from its findings: whether and how the model can call tools (`verdict`), the
 * reason (`because`), and the recommended settings (`use`), each with its reason (`recommendations`).
 */
export type Conclusion = Pick<ExaminationReport, 'verdict' | 'because' | 'use' | 'recommendations'>;

/** Windows up to this size get brief descriptions of native tools, in tokens. */
const SMALL_WINDOW_TOKENS = 16_384;

/** Returns the code of the most important problem with native tools; undefined if they work. */
function nativeTrouble(has: (check: Finding['check'], ...codes: string[]) => boolean): string | undefined {
  if (has('tools', 'refused')) return 'tools-refused';
  if (has('call', 'unreadable')) return 'calls-unreadable';
  if (has('tools', 'dropped')) return 'tools-dropped';
  if (has('tools', 'system-lost')) return 'system-lost';
  if (has('call', 'in-text')) return 'calls-in-text';
  if (has('call', 'none') || has('parallel', 'none')) return 'no-native-calls';
  if (has('result', 'failed')) return 'results-fail';
  if (has('result', 'ignored')) return 'results-ignored';
  if (has('call', 'template-tokens')) return 'template-tokens';
  return has('call', 'native', 'inexact') ? undefined : 'no-native-calls';
}

/**
 * Concludes from the findings of an examination whether a model can call tools, which settings to use for it, and why.
 * `protocol`: the settings for describing tools in the prompt with which the model's call in text could be read; undefined if
 * there were none, or that was not tried.
 */
export function conclude({ findings, protocol }: Evidence): Conclusion {
  const has = (check: Finding['check'], ...codes: string[]) =>
    findings.some((finding) => finding.check === check && codes.includes(finding.code));
  const trouble = nativeTrouble(has);
  const recommendations: Conclusion['recommendations'] = [];
  const use: ModelUse = {};
  const recommend = <Setting extends keyof ModelUse>(
    setting: Setting,
    value: NonNullable<ModelUse[Setting]>,
    because: string,
  ) => {
    use[setting] = value;
    recommendations.push({ setting, because });
  };
  const window = windowOf(findings);
  const addWindow = () => {
    if (window !== undefined) recommend('contextSize', window.value, window.because);
  };
  // Where results are ignored in either mode, nothing is gained.
  const isNoBetter = has('prompted', 'failed') || (trouble === 'results-ignored' && has('prompted', 'ignored'));
  const promptedWorks = protocol !== undefined && !isNoBetter;
  const nativeIsRead = has('call', 'native', 'inexact') && !has('result', 'failed');
  if (trouble === undefined || (!promptedWorks && nativeIsRead)) {
    const because = trouble === undefined ? 'native-works' : 'prompted-fails';
    recommend('toolCalling', 'native', because);
    if (has('parallel', 'merged')) recommend('singleCalls', true, 'calls-merged');
    // A window that was only reached may be much larger.
    if (window !== undefined && window.because !== 'window-reached' && window.value <= SMALL_WINDOW_TOKENS)
      recommend('compact', true, 'small-window');
    addWindow();
    return { verdict: 'native', because, use, recommendations };
  }
  if (promptedWorks) {
    recommend('toolCalling', 'prompted', trouble);
    recommend('codec', protocol.codec, 'codec-read');
    recommend('compact', protocol.compact, protocol.compact ? 'brief-read' : 'full-read');
    recommend('examples', protocol.examples, protocol.examples ? 'examples-read' : 'no-examples-read');
    addWindow();
    return { verdict: 'prompted', because: trouble, use, recommendations };
  }
  return {
    verdict: 'unusable',
    because: has('prompted', 'failed') ? 'results-fail' : 'no-calls',
    use,
    recommendations,
  };
}

/** Returns the window, in tokens, that was measured or that the endpoint states; undefined if none is known. */
function windowOf(findings: readonly Finding[]): { value: number; because: string } | undefined {
  const reasons: Record<string, string> = {
    cut: 'window-cut',
    'refused-longer': 'window-refused',
    said: 'window-said',
    reached: 'window-reached',
  };
  for (const [code, because] of Object.entries(reasons)) {
    const found = findings.find((finding) => finding.check === 'window' && finding.code === code);
    // Endpoints count and claim what they like.
    const { data } = modelUseSchema.shape.contextSize.safeParse(found?.value);
    if (data !== undefined) return { value: data, because };
  }
  return undefined;
}
