/** The API key of the scripted provider. It must appear only in requests to it. */
export const SECRET = 'sk-scripted-secret-0123456789';

/** The models of the scripted server, as `models.yaml` lists them. */
export const modelsFile = (url: string): string => `models:
  - { id: scripted, provider: local, model: scripted, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 128000, vision: true, protocol: { codec: json } }
  - { id: no-tools, provider: local, model: no-tools, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 32000, protocol: { codec: json } }
  - { id: small-context, provider: local, model: small-context, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, protocol: { codec: json } }
  - { id: object, provider: local, model: object, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 32000, protocol: { codec: object } }
  - { id: narrow-4k, provider: local, model: narrow-4k, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 4096, protocol: { codec: object } }
  - { id: narrow-1k, provider: local, model: narrow-1k, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 1024, protocol: { codec: object } }
  - { id: raw, provider: local, model: raw, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 32000, protocol: { codec: raw } }
  - { id: xml, provider: local, model: xml, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 32000, protocol: { codec: xml } }
  - { id: delimited, provider: local, model: delimited, baseURL: ${url}, apiKeyEnv: SCRIPTED_KEY, contextSize: 32000, protocol: { codec: delimited } }
  - { id: unreachable, name: unreachable, provider: local, model: any, baseURL: "http://127.0.0.1:9/v1", contextSize: 32000 }
  - { id: no-key, name: no-key, provider: openai, model: any, apiKeyEnv: NO_SUCH_KEY }
`;
