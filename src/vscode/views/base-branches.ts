import type { BaseFile, BaseProblem, BaseStatus } from '../../bases';
import { entryUri, parseEntryUri } from '../../core/knowledge-uri';
import type { FileRule } from '../../knowledge';
import type { FileAdvice } from '../bases';
import type {
  AdviceNode,
  BaseNode,
  BasesNode,
  FileNode,
  FolderNode,
  ForFileNode,
  HeadingNode,
  ProblemNode,
} from './base-nodes';

/** What a line needs of a rule that names a file. */
type NamingRule = Pick<FileRule, 'category' | 'keyword' | 'source_scope' | 'risks'>;

export function baseNode(status: BaseStatus): BaseNode {
  return { kind: 'base', id: `base/${status.definition.name}`, status };
}

/** What stands directly in a folder of a base, or with an empty one in its root: problems of the base, folders, files. */
export function contentsOf(
  parent: BaseNode | FolderNode,
  files: readonly BaseFile[],
  problems: readonly BaseProblem[] = [],
): BasesNode[] {
  const base = parent.kind === 'base' ? parent.status.definition.name : parent.base;
  const prefix = parent.kind === 'base' ? '' : `${parent.folder}/`;
  const folders = new Map<string, number>();
  const own: FileNode[] = [];
  for (const file of files) {
    if (file.base !== base || !file.file.startsWith(prefix)) continue;
    const slash = file.file.indexOf('/', prefix.length);
    if (slash < 0) own.push(fileNode(file, parent));
    else {
      const folder = file.file.slice(0, slash);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  const below = [...folders].map(
    ([folder, count]): FolderNode => ({
      kind: 'folder',
      id: `folder/${base}/${folder}`,
      parent,
      base,
      folder,
      files: count,
    }),
  );
  const wrong = parent.kind === 'base' ? problems.filter(({ file }) => file === undefined) : [];
  return [...wrong.map((problem, index) => problemNode(problem, index, parent)), ...below, ...own];
}

/** The problems of a file, and the headings below its top one. */
export function headingsOf(parent: FileNode, file: BaseFile): BasesNode[] {
  const root = file.nodes[0];
  const top = file.nodes.filter((node) => node !== root && (node.parent_id === null || node.parent_id === root?.id));
  return [
    ...file.problems.map((problem, index) => problemNode(problem, index, parent)),
    ...top.map((node) => headingNode(node, parent)),
  ];
}

/** The headings below a heading. */
export function headingsBelow(parent: HeadingNode, file: BaseFile): HeadingNode[] {
  return file.nodes.filter(({ parent_id }) => parent_id === parent.node.id).map((node) => headingNode(node, parent));
}

/**
 * What an agent would get for a file: the rules that name it, and then what is about it, each once. Parts of the file
 * itself are left out: who works on it has them.
 */
export function adviceFor(
  parent: ForFileNode | undefined,
  {
    rules,
    recommendations,
    own,
    risks,
  }: Pick<FileAdvice, 'own' | 'recommendations' | 'risks'> & { rules: readonly NamingRule[] },
): AdviceNode[] {
  const named = rules.map((rule): AdviceNode => {
    const { category, keyword, source_scope: scope_id } = rule;
    const entry = { scope_id, category, keyword };
    return {
      kind: 'advice',
      id: `advice/${entryUri(entry)}`,
      parent,
      title: keyword,
      place: scope_id,
      type: 'entry',
      risks: rule.risks.map(({ level }) => level),
      target: { entry },
    };
  });
  const known = new Set(named.map(({ id }) => id));
  const found = [...recommendations]
    // An agent gets warnings apart; here each has its sign, and what is nearest is to be seen first.
    .sort((a, b) => b.score - a.score)
    .filter(({ uri }) => !known.has(`advice/${uri}`) && !isPartOf(uri, own))
    .flatMap(({ uri, kind, title, path, type, score }): AdviceNode[] => {
      const entry = kind === 'entry' ? parseEntryUri(uri) : undefined;
      if (kind === 'entry' && !entry) return [];
      const target = entry ? { entry } : kind === 'note' ? { note: uri } : { node: uri };
      return [
        {
          kind: 'advice',
          id: `advice/${uri}`,
          parent,
          title,
          place: path,
          type,
          score,
          risks: risks.get(uri) ?? [],
          target,
        },
      ];
    });
  return [...named, ...found];
}

function isPartOf(uri: string, file: string | undefined): boolean {
  return file !== undefined && (uri === file || uri.startsWith(`${file}#`));
}

function fileNode({ base, file, nodes, problems }: BaseFile, parent: BasesNode): FileNode {
  const id = `file/${base}/${file}`;
  return { kind: 'file', id, parent, base, file, root: nodes[0], nodes: nodes.length, problems: problems.length };
}

function headingNode(node: HeadingNode['node'], parent: BasesNode): HeadingNode {
  return { kind: 'node', id: `node/${node.uri}`, parent, node, hasChildren: node.children_ids.length > 0 };
}

function problemNode(problem: BaseProblem, index: number, parent: BasesNode): ProblemNode {
  return { kind: 'problem', id: `problem/${index}/${parent.id}`, parent, problem };
}
