import { createHash } from 'node:crypto';

/** A file of the local model: where it comes from, where it goes, and what it must be. */
export interface ModelFile {
  /** A path below the base address of its source. */
  from: { source: Source; path: string };
  /** A path below the model's directory, `/` between its parts. */
  to: string;
  bytes: number;
  /** SHA-256, in hexadecimal. */
  sha256: string;
}

export type Source = 'packages' | 'models';

export interface ModelManifest {
  name: string;
  /** Of the directory; another one for every change of what is below. */
  directory: string;
  dimensions: number;
  files: readonly ModelFile[];
  /** Small files that are written, not downloaded: path → content. */
  written: Readonly<Record<string, string>>;
}

/** Of the environment: they name mirrors. */
export const VARIABLES = {
  packages: 'KAIZEN_PACKAGES_URL',
  models: 'KAIZEN_MODELS_URL',
} as const satisfies Record<Source, string>;

/** Where the files of npm packages and of models are had, as they lie there: from a mirror, if the environment has one. */
export function sourcesInUse(environment = process.env): Record<Source, string> {
  return {
    packages: environment[VARIABLES.packages] || 'https://cdn.jsdelivr.net/npm',
    models: environment[VARIABLES.models] || 'https://huggingface.co',
  };
}

const TRANSFORMERS = '@huggingface/transformers@4.3.1/dist';
const RUNTIME = 'onnxruntime-web@1.31.0-dev.20260914-8d85527a0/dist';
const MODEL = 'Xenova/all-MiniLM-L6-v2/resolve/751bff37182d3f1213fa05d7196b954e230abad9';

/** Where the worker looks, in any model's directory. */
export const LAYOUT = {
  library: 'transformers.web.min.js',
  loader: 'node_modules/onnxruntime-web/ort-wasm-simd-threaded.mjs',
  wasm: 'node_modules/onnxruntime-web/ort-wasm-simd-threaded.wasm',
  model: 'model',
} as const;

function packaged(path: string, to: string, bytes: number, sha256: string): ModelFile {
  return { from: { source: 'packages', path }, to, bytes, sha256 };
}

function ofModel(path: string, bytes: number, sha256: string): ModelFile {
  return { from: { source: 'models', path: `${MODEL}/${path}` }, to: `${LAYOUT.model}/${path}`, bytes, sha256 };
}

/**
 * all-MiniLM-L6-v2 with weights of 8 bits (Apache-2.0), transformers.js (Apache-2.0) in its build without native parts,
 * and the ONNX runtime in WebAssembly (MIT), of which it needs the smallest build only.
 */
export const MINI_LM: ModelManifest = {
  name: 'all-MiniLM-L6-v2',
  directory: 'all-MiniLM-L6-v2-q8-1',
  dimensions: 384,
  files: [
    packaged(
      `${TRANSFORMERS}/transformers.web.min.js`,
      LAYOUT.library,
      454_425,
      'cc66a4de933cc21f0158dcbf72607721bfed0044d3791b2e9874f653659f979b',
    ),
    packaged(
      `${RUNTIME}/ort.wasm.min.mjs`,
      'node_modules/onnxruntime-web/ort.wasm.min.mjs',
      50_195,
      '1617c813ada08592706d29a9963ab6258864dce4299bd402d2196bd648b63bfe',
    ),
    packaged(
      `${RUNTIME}/ort-wasm-simd-threaded.mjs`,
      LAYOUT.loader,
      24_381,
      'c57ca56328877353a575e51bbca6f18450027d6c9bf2307a2cb2c41363b4de9f',
    ),
    packaged(
      `${RUNTIME}/ort-wasm-simd-threaded.wasm`,
      LAYOUT.wasm,
      14_264_838,
      '06ba057753da3847e4c24f02d91ab133455b0817c69a44993a9a53a2146df9e3',
    ),
    ofModel('config.json', 650, '7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7'),
    ofModel('tokenizer_config.json', 366, '9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3'),
    ofModel('tokenizer.json', 711_661, 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0'),
    ofModel(
      'onnx/model_quantized.onnx',
      22_972_370,
      'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    ),
  ],
  // The library imports its runtime by two names that it would have the packages for; both lead to the small build.
  written: {
    'package.json': '{ "type": "module" }\n',
    'node_modules/onnxruntime-web/package.json':
      '{ "name": "onnxruntime-web", "type": "module", "exports": { "./webgpu": "./ort.wasm.min.mjs" } }\n',
    'node_modules/onnxruntime-common/package.json':
      '{ "name": "onnxruntime-common", "type": "module", "exports": "./index.js" }\n',
    'node_modules/onnxruntime-common/index.js': "export * from '../onnxruntime-web/ort.wasm.min.mjs';\n",
  },
};

export function bytesOf({ files }: ModelManifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Path below the model's directory → SHA-256 in hexadecimal, of all that lies there. */
export function checksumsOf({ files, written }: ModelManifest): Record<string, string> {
  return Object.fromEntries([
    ...files.map(({ to, sha256 }) => [to, sha256]),
    ...Object.entries(written).map(([to, text]) => [to, createHash('sha256').update(text).digest('hex')]),
  ]);
}
