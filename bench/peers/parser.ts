export { hermesProtocol, morphXmlProtocol } from '@ai-sdk-tool/parser';
