/*-------------------------------------------------------------------------
 *
 * BenchLucene.java
 *		Ask Lucene; called as peer.h says, and prints the same lines.
 *
 * Documents and frequencies, no positions, nothing stored; merged into one
 * segment.  BM25Similarity with k1 = 1.2 and b = 0.75, which rounds lengths to
 * one byte.  Hits are counted no further than k, so that it may skip all it
 * can; no query is cached.  "ask" has a further argument, a file of lines as
 * it reads them: it answers these for WARM_UP seconds before anything else, so
 * that queries run compiled.
 *
 *-------------------------------------------------------------------------
 */
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;

import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Version;

public class BenchLucene {
	private static final String FIELD = "body";
	private static final int BEST = 10;
	private static final double WARM_UP = 20;
	private static final BM25Similarity SIMILARITY = new BM25Similarity(1.2f, 0.75f);

	private final IndexSearcher searcher;

	private BenchLucene(MMapDirectory directory) throws IOException {
		searcher = new IndexSearcher(DirectoryReader.open(directory));
		searcher.setSimilarity(SIMILARITY);
		searcher.setQueryCache(null);
	}

	private static double now() {
		return System.nanoTime() / 1e9;
	}

	/** Merges keep the order, so a document's place is its number. */
	private static void build(MMapDirectory directory, Path docs) throws IOException {
		FieldType type = new FieldType();
		type.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
		type.setTokenized(true);
		type.freeze();
		IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
		config.setSimilarity(SIMILARITY);
		config.setRAMBufferSizeMB(256);
		config.setUseCompoundFile(false);
		config.setMergePolicy(new LogByteSizeMergePolicy());
		config.setMergeScheduler(new SerialMergeScheduler());
		try (IndexWriter writer = new IndexWriter(directory, config);
				BufferedReader in = Files.newBufferedReader(docs)) {
			for (String line; (line = in.readLine()) != null;) {
				Document document = new Document();
				document.add(new Field(FIELD, line.substring(line.indexOf('\t') + 1), type));
				writer.addDocument(document);
			}
			writer.forceMerge(1);
			writer.commit();
		}
	}

	private ScoreDoc[] search(String words, int k) throws IOException {
		BooleanQuery.Builder any = new BooleanQuery.Builder();
		String[] list = words.split(" ");
		for (String word : list) {
			any.add(new TermQuery(new Term(FIELD, word)), BooleanClause.Occur.SHOULD);
		}
		Query query = list.length == 1 ? new TermQuery(new Term(FIELD, words)) : any.build();
		TopScoreDocCollector collector = TopScoreDocCollector.create(k, k);
		searcher.search(query, collector);
		return collector.topDocs().scoreDocs;
	}

	/** Answers lines "k words" for a while, unless there are none. */
	private void warmUp(List<String> lines) throws IOException {
		double end = now() + WARM_UP;
		while (!lines.isEmpty() && now() < end) {
			for (String line : lines) {
				answer(line);
			}
		}
	}

	private String answer(String line) throws IOException {
		int blank = line.indexOf(' ');
		double before = now();
		ScoreDoc[] hits = search(line.substring(blank + 1), Integer.parseInt(line.substring(0, blank)));
		double time = (now() - before) * 1e3;
		StringBuilder answer = new StringBuilder();
		answer.append(time).append('\t');
		for (int i = 0; i < hits.length && i < BEST; i++) {
			answer.append(i > 0 ? " " : "").append(hits[i].doc);
		}
		return answer.toString();
	}

	private void ask() throws IOException {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
		for (String line; (line = in.readLine()) != null;) {
			System.out.println(answer(line));
		}
	}

	public static void main(String[] args) throws IOException {
		if (args.length != 3 || !args[0].matches("build|ask")) {
			System.err.println("usage: BenchLucene build FOLDER DOCS | ask FOLDER WARM_UP");
			System.exit(2);
		}
		// Debian's jar lacks the classes of the newer way to map files.
		System.setProperty("org.apache.lucene.store.MMapDirectory.enableMemorySegments", "false");
		double start = now();
		MMapDirectory directory = new MMapDirectory(Paths.get(args[1]));
		Path file = Paths.get(args[2]);
		if (args[0].equals("build")) {
			build(directory, file);
			System.out.println("version\tLucene " + Version.LATEST + ", Java "
					+ System.getProperty("java.version"));
			System.out.printf("built\t%.3f%n", now() - start);
		} else {
			BenchLucene bench = new BenchLucene(directory);
			bench.warmUp(Files.readAllLines(file));
			bench.ask();
		}
	}
}
