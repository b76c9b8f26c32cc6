import { describe, expect, test } from 'vitest';
import { codecOf } from '#lib/prompts/codecs/codecs.ts';
import { PROFILES, profileFor, profileOf } from './profiles.ts';

const familyOf = (model: string) => profileFor({ provider: 'local', model })?.family;

describe('profiles', () => {
  test('each row can be reached, has a source, and names a format that exists', () => {
    const names = [
      ...['deepseek-r1:8b', 'DeepSeek-R1-0528', 'qwen2.5-coder:7b', 'Qwen3-Coder-30B', 'Qwen3-4B-Instruct-2507'],
      ...['qwen3:8b', 'qwen2.5:7b', 'DeepSeek-V3-0324', 'llama3.2:3b', 'gemma4:12b', 'gemma-3-27b-it'],
      ...['gemma2:9b', 'Mistral-Small-3.2-24B', 'mistral-nemo', 'phi4-reasoning', 'phi3.5', 'smollm2:1.7b'],
      ...['SmolLM3-3B', 'GLM-4.6', 'LFM2-1.2B', 'LFM2.5-1.2B-Instruct', 'openai/gpt-oss-20b'],
    ];
    expect(names.map((model) => profileFor({ provider: 'local', model }))).toEqual(PROFILES);
    for (const { source, use } of PROFILES) {
      expect(source).not.toBe('');
      if (use.codec !== undefined) expect(codecOf(use.codec).id).toBe(use.codec);
    }
  });

  test.each([
    ['hf.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF:Q4_K_M', 'Qwen'],
    ['meta-llama/Llama-3.1-8B-Instruct', 'Llama'],
    ['deepseek-r1-distill-llama-70b', 'DeepSeek'],
    ['llama2:7b', undefined],
    ['phi4-mini', undefined],
    ['codellama:34b', undefined],
    ['codellama-34b-instruct', undefined],
    ['llama-4-maverick', 'Llama'],
    ['llama3:8b', 'Llama'],
    ['Llama-3-Groq-8B-Tool-Use', undefined],
    ['Hermes-3-Llama-3.1-8B', undefined],
    ['gemma3n:e4b', 'Gemma'],
    ['phi4-mini-reasoning', undefined],
    ['qwen3-vl:8b', undefined],
    ['my-model', undefined],
    ['qwen3.5-next', undefined],
    ['qwen3:latest', 'Qwen'],
    ['qwen/qwen3-next-80b-a3b-instruct', 'Qwen'],
    ['qwen3-coder-next', undefined],
    ['qwen3-embedding:8b', undefined],
    ['qwen2.5-vl:7b', undefined],
    ['Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf', 'Llama'],
    ['meta.llama3-1-8b-instruct-v1:0', 'Llama'],
    ['llama-3b', undefined],
    ['tinyllama:1.1b', undefined],
    ['gemma:2b', undefined],
    ['gemma-2b-it', undefined],
    ['gemma-27b', undefined],
    ['gemma-2-2b-it', 'Gemma'],
    ['bartowski/google_gemma-3-27b-it-GGUF', 'Gemma'],
    ['medgemma-4b-it', undefined],
    ['shieldgemma:2b', undefined],
    ['functiongemma-270m-it', undefined],
    ['codegemma:2b', undefined],
    ['orieg/gemma3-tools:12b', undefined],
    ['mistral-small:24b', 'Mistral'],
    ['mistral-small3.1', 'Mistral'],
    ['mistral-small:22b', undefined],
    ['Mistral-Small-Instruct-2409', undefined],
    ['mistral-small-4', undefined],
    ['Ministral-3-8B-Instruct-2512', 'Mistral'],
    ['ministral-3b-2410', undefined],
    ['mistral-nemotron', undefined],
    ['phi-3-mini-4k-instruct', 'Phi'],
    ['phi4:14b', 'Phi'],
    ['phi-4-multimodal-instruct', undefined],
    ['glm-4.6v-flash', undefined],
    ['z-ai/glm-4.6:exacto', 'GLM'],
    ['LFM2-VL-1.6B', undefined],
    ['LFM2-1.2B-Tool', undefined],
    ['lfm2-8b-a1b', 'LFM'],
    ['gpt-oss-safeguard:20b', undefined],
  ])('%s', (model, family) => {
    expect(familyOf(model)).toBe(family);
  });

  test.each([
    ['deepseek-r1-distill-qwen2.5-32b', 'prompted', 0.6],
    ['qwen/qwen-2.5-coder-32b-instruct', 'prompted', 0.7],
    ['deepseek/deepseek-chat-v3-0324', undefined, 0.3],
    ['phi-4-reasoning-plus', undefined, 0.8],
  ])('%s is used as its own row says', (model, toolCalling, temperature) => {
    expect(profileOf({ provider: 'local', model })).toMatchObject({ temperature });
    expect(profileOf({ provider: 'local', model })?.toolCalling).toBe(toolCalling);
  });

  test('what a maker serves keeps its maker’s defaults', () => {
    const model = 'deepseek-r1';
    expect(profileOf({ provider: 'deepseek', model })).toBeUndefined();
    expect(profileOf({ provider: 'openrouter', model })).toMatchObject({ toolCalling: 'prompted' });
    expect(profileOf({ provider: 'deepseek', model, baseURL: 'http://a/v1' })).toBeDefined();
  });
});
